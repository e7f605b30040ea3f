/** Filled badges that warn: white text on it has a contrast of 5.2 to 1. */
export const WARNING = '#c2410c';
