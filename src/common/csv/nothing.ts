/** How other products export empty values. */
export const NOTHING = /^\s*(?:null|undefined|nan|\(null\)|\\N|#N\/A)\s*$/i;
