/** Texts whose signs and numbers have several readings, by what decides, each with its words. */
export const AMBIGUOUS_EXAMPLES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'decades, tens and seconds': [
    [
      'Highs in the low 60s to upper 70s, an 80s song, 90s kids, over-50s',
      'Highs in the low sixties to upper seventies, an eighties song, nineties kids, over-fifties',
    ],
    ['the 1960s, 70s and 80s, THE 80S', 'the nineteen sixties, seventies and eighties, THE eighties'],
    [
      'within 30s, wait 60s, then go. It ran in 30s flat. Rest: 90s. The timeout is 30s or 60s in all cases.',
      'within thirty seconds, wait sixty seconds, then go. It ran in thirty seconds flat. Rest: ninety seconds. The timeout is thirty seconds or sixty seconds in all cases.',
    ],
  ],
  // EFord36/normalise 6
  'several of a number': [
    [
      'Two 747s and 404s, the 1099s, three 9s of uptime, in 20s and 50s, straight 4.0s, the over 65s',
      'Two seven forty-sevens and four oh fours, the ten ninety-nines, three nines of uptime, in twenties and fifties, straight four point zeros, the over sixty-fives',
    ],
    ['three $20s, 2 1/2s, the iPhone 5s', 'three twenties, two and a halves, the iPhone five S'],
    [
      'a 5s delay, the 15s ad, a 120s exposure, 300s later, 5s to 30s',
      'a five second delay, the fifteen seconds ad, a one hundred twenty second exposure, three hundred seconds later, five seconds to thirty seconds',
    ],
    ["two F-150s, the 5's", 'two F-one fifties, the fives'],
  ],
};
