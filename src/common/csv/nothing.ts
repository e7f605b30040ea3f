/** What other products write in a cell for nothing. */
export const NOTHING = /^\s*(?:null|undefined|nan|\(null\)|\\N|#N\/A)\s*$/i;
