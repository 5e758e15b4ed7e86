import { NO_NOUN } from './number-patterns.js';

/** A word before what an amount describes, and a noun after it: a $5 coffee, a 10 m (32 ft) wall, his $5 to $10 fee. */
export const ARTICLE =
  '(?<=((?<![\\p{L}\\p{N}])(?:[Aa]n?|[Tt]h(?:e|is|at|ese|ose)|[Aa]nother|[Ee]ach|[Mm]y|[Yy]our|[Hh](?:is|er)|[Ii]ts|[Oo]ur|[Tt]heir|' +
  "times|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Tt]en|[Ss]everal|(?!(?:[Ii]t|[Ss]?[Hh]e|[Tt]h(?:at|ere)|[Ww]h(?:at|o|ere)|[Hh](?:ere|ow))\\b)\\p{L}{2,20}['’]s)\\s(?:\\d[\\d.,]{0,12}\\sto\\s)?)?)";
export const NOUN = `(?=((?:\\s\\([^()]{1,20}\\))?[\\s-](?!(?:${NO_NOUN})\\b)\\p{L}\\p{Ll}{1,20})?)`;

/** Words after "the" and an amount that are no noun which it describes: "the $5 million he raised". */
const IS_NO_NOUN =
  /^.(?:he|she|it|they|you|we|that|which|who|when|where|because|so|but|are|were|ha[sd]|have|will|would|can|could|should|did|does|not|back|plus|each|every|extra|total|due|left|spent|paid|lost|won|made|given|sought|worth|into|through|under|over|before|after|since|until|ago|later|here|there|now|then|today|yesterday|tomorrow|too|also|already|only|just|during|while|about|above|below|across|around|between|within|off|out|up|down|early|late|again|away|tall|long|wide|high|deep|heavy|thick|apart|\p{Ll}+(?:ed|er|ing))$/u;

/** Nouns that an amount describes without an article: "60W bulb". */
const IS_DEVICE =
  /^.(?:bulbs?|lamps?|charger|adapter|battery|batteries|drill|outlet|motor|speakers?|drive|card|lens|bolts?|pipe|hose|screws?|files?|fuse|breaker|circuit)$/;

/** True if an amount describes the noun after it. @param article - Word before the amount. */
export function describesNoun(article: string | undefined, noun: string | undefined): boolean {
  if (!noun) return false;
  return IS_DEVICE.test(noun) || (article !== undefined && (/^an?\s/i.test(article) || !IS_NO_NOUN.test(noun)));
}
