import type { Rule } from './mapped-text.js';
import { rule, START } from './number-patterns.js';
import { sayPlural } from './number-words.js';
import { SIGN } from './unit-words.js';

/** Words after or before a number of seconds: "the 30s timeout". */
const SPANS =
  '(?:timeout|delay|window|interval|mark|limit|timer|countdown|break|pause|wait|clip|video(?!\\sgame)|exposure|cooldown|' +
  'budget|gap|lag|period|poll|rest|hold|plank|sprint|silence|step|buffer|chunk|heartbeat|ttl|backoff|debounce|deadline|flat|ago|remaining|elapsed)s?\\b';
const IS_SPAN = rule(`^\\s${SPANS}`, 'iu');

/** Words in the sentence of a number of seconds. */
const IS_TIMED =
  /\b(?:timeouts?|delay(?:s|ed)?|intervals?|timers?|cooldown|countdown|latency|ttl|seconds?|secs|duration|elapsed|retry(?:ing)?|retries|stopwatch|exposures?)\b/i;

/** Words before a number of seconds that ends a part of a sentence: "wait 30s, then go". */
const BEFORE_SECONDS = rule(
  '(?:\\b(?:wait(?:s|ed|ing)?|paused?|hold|sleep|r[ua]ns?|running|tak(?:es?|ing|en)|took|last(?:s|ed|ing)?|every|within|' +
    'after|for|in|(?<!\\bthe )under|than|least|most|about|only|just|almost|nearly|exactly|another|extra|additional|up to|plus|first|last|next|final|(?:hours?|minutes?) and|' +
    `${SPANS}(?::|\\s(?:of|is|was|to|at))?)\\s|[=:]\\s?|[+(<≤])$`,
  'iu',
);

/** Text that may follow such a number. */
const AFTER_SECONDS =
  /^(?:$|[\n.,;:!?)\]"”`—]|\s(?:[-–—]|flat|ago|later|long|max|each|total|left|remaining|elapsed|and|or|then|before|after|until|till|while|if|when|per|to|for|at|on|with|so|but|between|from|of|because|as|during)(?!\p{L}))/u;

/** Words before several of a number: "two 747s", "all 404s", "the low 700s". */
const BEFORE_SEVERAL =
  /\b(?:(?:the|these|those|all|both|any|some|many|more|few|several|no|two|three|four|five|six|seven|eight|nine|ten|dozen|\d|[Mm]odel|Pixel|Galaxy|Windows|Boeing|Airbus|roll(?:ed|s)?|(?:count(?:ing|s)?|skip|multiply|go) by|multiples of|double|triple|straight|consecutive|his|her|its|their|our|my|your|low(?:er)?|high|mid|upper|(?:pair|couple|string|row|bunch|pile|stack|rolls?|hand|lots|mix|handful|trio|wad) of)[ -]|the (?:over|under) |(?:over|under)-)$/i;

/** A number that ends in s. */
const SEVERAL = String.raw`(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,4}(?:\.\d{1,3})?)['’]?s(?![\p{L}\p{N}])`;

/** Rules of numbers of which there are many. They precede those of units, which read 5s as seconds. */
export const PLURAL_RULES: readonly Rule[] = [
  // 100s of
  [
    rule(`${START}(10{1,3}|1,000|10,?000|100,?000|1,000,000)s(?=\\sof\\b)`),
    (_, number) => sayMany(number.replaceAll(',', '')),
  ],
  // 1980s
  [rule(`${START}([12]\\d{2}0)['’]?[sS](?![\\p{L}\\p{N}]|\\s${SPANS})`), (_, decade) => sayPlural(decade)],
  // the '80s, THE 80S
  [
    rule(`(?<![\\p{L}\\p{N}])(?:['’]([02-9]0)['’]?[sS]|(?<=\\bTHE )([2-9]0)['’]?S)(?![\\p{L}\\p{N}]|\\s${SPANS})`),
    (_, short, decade) => (short === '00' ? 'two thousands' : sayPlural(short ?? decade)),
  ],
  // three $20s
  [rule(`(?:${SIGN})(\\d{1,4})s(?![\\p{L}\\p{N}])`), (_, number) => sayPlural(number)],
  // B-52s
  [rule(`(?<=(?<![\\p{L}\\p{N}])\\p{Lu}\\p{L}{0,2}-)(\\d{1,3})s(?![\\p{L}\\p{N}])`), (_, number) => sayPlural(number)],
  // 2 1/2s
  [
    rule(
      `(?<=${START}(?<!\\b(?:took|takes|for|in|after|wait|waited)\\s)\\d{1,2}\\s)1/2s(?![\\p{L}\\p{N}]|\\s${SPANS})`,
    ),
    'and a halves',
  ],
  // in the 60s to 80s, two 747s and three 6s, but after 30s, 5s to 30s
  [
    rule(`${START}${SEVERAL}(?:(?:,\\s(?:(?:and|or)\\s)?|\\s(?:and|or|to)\\s)${SEVERAL}){0,4}`),
    (...found) => {
      const [match] = found;
      const [at, text] = found.slice(-2) as unknown as [number, string];
      const before = /[^.!?\n]*$/.exec(text.slice(Math.max(0, at - 60), at))![0];
      const after = text.slice(at + match!.length, at + match!.length + 60);
      return isSeconds(match!, before, after)
        ? match!
        : match!.replace(/(\d[\d.,]*)['’]?s/g, (_, number: string) => sayPlural(number));
    },
  ],
];

/** True if numbers that end in s are seconds, and false if they are decades or several of a number. */
function isSeconds(numbers: string, before: string, after: string): boolean {
  if (IS_SPAN.test(after)) return true;
  const all = numbers.match(/\d[\d.,]*(?=['’]?s)/g)!;
  // "in 30s", but "in 20s and 50s"
  const ends = AFTER_SECONDS.test(after) && (all.length === 1 || !/(?:\bin\s|:\s?|\()$/.test(before));
  if (ends && BEFORE_SECONDS.test(before)) return true;
  const areDecades = all.every((number) => /^[2-9]0$/.test(number));
  // "the 15s ad", but "the 9s were" and "the 404s"
  if (BEFORE_SEVERAL.test(before))
    return (
      !areDecades &&
      all[0].length < 3 &&
      !/^(?:$|[^\s]|\s(?:and|or|are|were|in|of|to|on|from|at|have|had|will|that|who|with|for)\b)/.test(after)
    );
  // "in the 70's", but "Chapter 5's"
  if (/['’]s/.test(numbers)) return !areDecades;
  if (/^\s(?:of|per|later|late|left|each|long|max|total)\b/.test(after)) return true;
  return IS_TIMED.test(before + after) || !all.every(isName) || (!areDecades && /\ba\s$/.test(before));
}

/** True for numbers that are hardly ever those of seconds, such as 80, 404 and 1099. */
function isName(number: string): boolean {
  return /^(?:[2-9]0|\d{3}|10\d\d|\d+,.*)$/.test(number);
}

/** Writes out powers of ten that are many: "hundreds", "tens of thousands". */
function sayMany(number: string): string {
  const [, scale = ''] = /^1(?:0{0,2}?)((?:000)*)$/.exec(number)!;
  const name = ['', 'thousand', 'million'][scale.length / 3]!;
  const count = ['', 'tens', 'hundreds'][number.length - 1 - scale.length]!;
  return name ? `${count && `${count} of `}${name}s` : count;
}
