/** Background of warning badges, on which white text has a contrast of 5.2 to 1. */
export const WARNING = '#c2410c';
