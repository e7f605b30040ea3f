/** Notations for an empty value in exports of other products. */
export const NOTHING = /^\s*(?:null|undefined|nan|\(null\)|\\N|#N\/A)\s*$/i;
