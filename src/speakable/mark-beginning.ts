/** The end of a text that may become a mark. If nothing follows, it is spoken as it is. */
export const MARK_BEGINNING =
  /(?:\b(?:ht?|f|(ht|f)t(ps?:?\/?)?|ww?w?)|[!=~]|[ \t]*(?:[{^%]|##?|:[\w+-]*|\bc(?:i|ite?\w*)?)|\$[\d.,]*[ \t]*|[ \t]+)$/i;
