/**
 * Words and habits of a language on which the end of a sentence depends. Abbreviations are without their last full stop. A
 * word with a capital stands only for itself, because it is another word without: "Hon. Lee", but "Thanks, hon."
 */
export interface SentenceRules {
  /** Abbreviations that are followed by the name or number that they belong to. No sentence ends with them. */
  readonly titles: ReadonlySet<string>;
  /** Abbreviations with which a sentence may end. It does if one of {@link starters} follows. */
  readonly abbreviations: ReadonlySet<string>;
  /** Words with which sentences often begin, and names do not. */
  readonly starters: ReadonlySet<string>;
  /** True if a number with a full stop is an ordinal: "am 5. Mai". */
  readonly hasOrdinals: boolean;
  /** Words in lower case that are abbreviations only before a number: "max. 5", "art. 5". */
  readonly numbered: RegExp;
  /** Recognizes other abbreviations, with which a sentence may end, by their form. */
  readonly isAbbreviation?: (word: string) => boolean;
}

/** Makes a set of words that are separated by spaces. */
export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Rules of English, which apply to other languages too, as far as those have none of their own. */
export const ENGLISH: SentenceRules = {
  titles: words(
    'mr mrs Ms mx messrs dr Prof gen sen Gov lt col cpl sgt Capt cmdr maj adm pvt Hon Rev Brig Atty Mme fr Mt Ft pres supt ' +
      'vs v viz cf approx e.g i.e eg ie incl excl esp Assoc p.s p.p.s n.b PS PPS a.k.a Fig Figs Eq Eqs',
  ),
  abbreviations: words(
    'no nos p pp vol vols ch chap ext tel eds nr ' +
      'jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues Wed thu thur thurs fri ' +
      'etc Sec para inc co corp ltd llc bros jr sr esq dept univ assn misc figs eq Rep App Ex Par Tab Art st prof gov capt rev ms mt ' +
      'ave blvd rd hwy sq Apt a.m p.m al ft',
  ),
  starters: words(
    'i it he she we you they this that these those there here the a an my your his her its our their ' +
      'what when where why who whom whose which how if so but and or nor because although though while after before ' +
      'since until unless then now also however still yet thus therefore meanwhile instead finally ' +
      'is are was were do does did can could will would should may might must have has had let ' +
      'in on at for with as to from by of not yes please maybe perhaps today tomorrow yesterday once all both each ' +
      'every some many most several another other',
  ),
  hasOrdinals: false,
  numbered:
    /^(?:max|est|app|ver|par|art|sec|rep|fig|ref|apt|op|ex|ca|pt|pop|hrs?|mins?|secs|mph|lbs?|oz|yd|avg|temp|ed|ep|bldg|rm|ste|tab|lvl|qty|ser)$/,
};
