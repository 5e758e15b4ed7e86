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
      'a five second delay, the fifteen second ad, a one hundred twenty second exposure, three hundred seconds later, five seconds to thirty seconds',
    ],
    ["two F-150s, the 5's", 'two F-one fifties, the fives'],
  ],
  'times after a first name, and verses': [
    [
      'Call John 9:00 AM, Daniel 10:00-11:00, lunch with Mark 12:30, Ruth 4:15 – 5 pm, John 3:16',
      "Call John nine AM, Daniel ten o'clock to eleven o'clock, lunch with Mark twelve thirty, Ruth four fifteen to five PM, John three sixteen",
    ],
    ['I met Dan. 3:00 PM works. Read Dan. 3:4', 'I met Dan. three PM works. Read Daniel three four'],
  ],
  'emergency numbers': [
    [
      'She dialed 911. Phoning 988 or 112, contact 9-1-1 or 988, a 911 call, the 988 Lifeline',
      'She dialed nine one one. Phoning nine eight eight or one one two, contact nine one one or nine eight eight, a nine one one call, the nine eight eight Lifeline',
    ],
    [
      'Call 911 in the US, 112 in Europe. He called 911 people, the 911 Turbo',
      'Call nine one one in the US, one one two in Europe. He called nine hundred eleven people, the nine eleven Turbo',
    ],
  ],
  'words that end a sentence before a number': [
    [
      'Open a tab. 3 tabs are open. Wait a sec. 5 minutes. He said no. 20 years later, the no. 1 hit, art. 20 provides',
      'Open a tab. three tabs are open. Wait a sec. five minutes. He said no. twenty years later, the number one hit, article twenty provides',
    ],
    [
      'He left Foo Inc. 5 people stayed. On Main St. 5 cars, on 12 Elm St. 5 cars, Main St. 5th floor',
      'He left Foo Incorporated. five people stayed. On Main Street. five cars, on twelve Elm Street. five cars, Main Street fifth floor',
    ],
    ['at 5 p.m. 5 people came', 'at five PM. five people came'],
  ],
  'numbers that end in a letter of a unit': [
    [
      'Runway 27L, unit 12g, Room 312W, I-80W, a gate 3m wide, size 10W',
      'Runway twenty-seven L, unit twelve G, Room three twelve W, I-eighty W, a gate three meters wide, size ten W',
    ],
    [
      '5W-30 oil, a 5W-3L record, 14k gold, 3M makes tape, 3M users',
      'five W thirty oil, a five W three L record, fourteen karat gold, three M makes tape, three million users',
    ],
    // osmandapp/OsmAnd 7379
    ['D 71E1, 1.5E6, 1e+6', 'D 71E1, one point five times ten to the sixth, one times ten to the sixth'],
    [
      '1,200sf, 3,000sqft, 2,500fpm, 1,500cc, 10,000ppl, 2,000px',
      'one thousand two hundred square feet, three thousand square feet, two thousand five hundred feet per minute, one thousand five hundred cubic centimeters, ten thousand people, two thousand pixels',
    ],
  ],
  'runs, and time that is left': [
    ['He ran a 5k, the 10k walk, a 10k loan', 'He ran a five K, the ten K walk, a ten thousand loan'],
    // AudioBooth/AudioBooth 304
    [
      '56m remaining, 5m left, a 10m read, ETA 12m',
      'fifty-six minutes remaining, five minutes left, a ten minute read, ETA twelve minutes',
    ],
  ],
  'dots before a number, and hearts': [
    ['3...2...1, 1..10, wait...5 minutes', 'three... two... one, one to ten, wait... five minutes'],
    ['I <3 you. Love you <3! Bye, kids <3 are free', 'I love you. Love you! Bye, kids less than three are free'],
  ],
  // benetech/MathShare 1366, Speech-Rule-Engine/speech-rule-engine 319
  'minus, and not a range': [
    [
      '$100 - $20 = $80, Net = $1,200 - 15%, $500 - $50 off, $50 - $100',
      'one hundred dollars minus twenty dollars equals eighty dollars, Net equals one thousand two hundred dollars minus fifteen percent, five hundred dollars minus fifty dollars off, fifty to one hundred dollars',
    ],
    [
      '5 - (-3) = 8, 8 - (3 + 2), (a + b) - c, Section 5 - (a), Smith (2019-2020) - 5',
      'five minus (minus three) equals eight, eight minus (three plus two), (a plus b) minus c, Section five - (a), Smith (twenty nineteen to twenty twenty) - five',
    ],
    [
      '10 - x = 4, a - b = c, y = a - b, F(b) - F(a) = c',
      'ten minus x equals four, a minus b equals c, y equals a minus b, F(b) minus F(a) equals c',
    ],
    [
      '1/2 - 1/4, 2 1/2 - 1 1/4, 1/2 - 3/4 cup',
      'one half minus one quarter, two and a half minus one and a quarter, one half to three quarters cup',
    ],
    // nvaccess/nvda 16676
    [
      'Net: –$45.20, -€ 50, $(12.5) million, ($12.5 million)',
      'Net: minus forty-five dollars and twenty cents, minus fifty euros, minus twelve point five million dollars, (twelve point five million dollars)',
    ],
  ],
  'ranges of money by the code of a currency': [
    [
      'USD 5-10, GBP 1-2m, 5-10 USD, 10€-20€',
      'five to ten US dollars, one to two million British pounds, five to ten US dollars, ten euros to twenty euros',
    ],
    ['INR 2-3, INR 500-600', 'I N R two to three, five hundred to six hundred Indian rupees'],
  ],
  'ratings, and not fractions': [
    [
      "I'd rate it a 7/10, 85/100, give it 4/5, 3.85/4.0",
      "I'd rate it a seven out of ten, eighty-five out of one hundred, give it four out of five, three point eight five out of four point zero",
    ],
    [
      '7/10 of the people, 3/10 mile, on 10/10, 2.4/5 GHz, 50/60 Hz, Node 20.2/22.3, en-US/GB, 5 J. Smith',
      'seven tenths of the people, three tenths mile, on October tenth, two point four slash five gigahertz, fifty slash sixty hertz, Node twenty point two slash twenty-two point three, en-US slash GB, five J. Smith',
    ],
  ],
  // Enterprise-CMCS/managed-care-review 707, bigcalendar/react-big-calendar 1390
  'spans of days and dates': [
    [
      'Monday–Friday, Tuesdays – Sun, 12/03/2021–08/14/2022, 2024-01-05–2024-01-09',
      'Monday to Friday, Tuesdays to Sunday, December third, twenty twenty-one to August fourteenth, twenty twenty-two, January fifth, twenty twenty-four to January ninth, twenty twenty-four',
    ],
    [
      '9/5–9/12, 6/15-6/20, 1/2-3/4',
      'September fifth to September twelfth, June fifteenth to June twentieth, one half to three quarters',
    ],
    // nvaccess/nvda 17544
    [
      '2024-11, 2020-12, the 2010-11 season',
      'November twenty twenty-four, December twenty twenty, the twenty ten to eleven season',
    ],
  ],
  'laws and courts': [
    [
      'Fed. R. Civ. P. 12(b)(6), the 9th Cir. held. P.L. 117-58, No. 21-1234, Nos. 5-10',
      'Federal Rule of Civil Procedure twelve(b)(six), the ninth Circuit held. Public Law one hundred seventeen fifty-eight, Number twenty-one twelve thirty-four, Numbers five to ten',
    ],
    [
      'Rule 10b-5, 240.10b-5, No. 20-35456',
      'Rule ten b five, two forty point ten b five, Number twenty three five four five six',
    ],
    ['Co. Rd. 12. Sr. Mary left. Sr. Manager Hu', 'County Road twelve. Sister Mary left. Senior Manager Hu'],
  ],
  'phases, ratings of credit, groups of blood and charges': [
    ['Phase 1/2, Phase II/III, Type 1/2', 'Phase one slash two, Phase two slash three, Type one slash two'],
    // instructure/canvas-android 202
    [
      'a BBB- outlook, O- or AB-, OH-, A- and B-levels',
      'a BBB minus outlook, O minus or AB minus, OH minus, A- and B-levels',
    ],
  ],
  // atbcb/usab-uswds 1529
  'feet and inches by their signs': [
    [
      '24"-36", 6\'-8\', 6\'-8", 10\'6"x12\', a 4x6" photo',
      'twenty-four to thirty-six inches, six to eight feet, six feet eight inches, ten feet six inches by twelve feet, a four by six inch photo',
    ],
    [
      'The screen is 27". A 55" TV, snow 3-5", ice 0.25", 12" wide, a 12" wide board',
      'The screen is twenty-seven inches. A fifty-five inch TV, snow three to five inches, ice zero point two five inches, twelve inches wide, a twelve inch wide board',
    ],
    [
      "a 10' pole, a 50' drop, it's 6' from here. He's 6'.",
      "a ten foot pole, a fifty foot drop, it's six feet from here. He's six feet.",
    ],
    [
      'He said "I am 12". "Version 12", \'stand by 4\', \'I don\'t want 4\', width="24"',
      'He said "I am twelve". "Version twelve", \'stand by four\', \'I don\'t want four\', width="twenty-four"',
    ],
    [
      '11/16 in., 4-6 in. The rest, a 9-in. pie',
      'eleven sixteenths inch, four to six inches. The rest, a nine-inch pie',
    ],
  ],
  'rates of several units': [
    [
      '500 mg/kg/day, 5mg/5mL, 90 mL/min/1.73 m², 120 kcal/100 g, 15 kWh/100km, 10 kg/22 lb',
      'five hundred milligrams per kilogram per day, five milligrams per five milliliters, ninety milliliters per minute per one point seven three square meters, one hundred twenty kilocalories per one hundred grams, fifteen kilowatt hours per one hundred kilometers, ten kilograms slash twenty-two pounds',
    ],
    [
      '60 beats/min, 10^9 CFU/mL, 500 cells/µL, 3x/week, 100 people/km²',
      'sixty beats per minute, ten to the ninth CFU per milliliter, five hundred cells per microliter, three times per week, one hundred people per square kilometer',
    ],
    [
      '1.2 g/cm3, 35 µg/m3, 5 W/m²K, 150 lb/ft³, 6.6e-34 J·s',
      'one point two grams per cubic centimeter, thirty-five micrograms per cubic meter, five watts per square meter kelvin, one hundred fifty pounds per cubic foot, six point six times ten to the minus thirty-four joule seconds',
    ],
    [
      '$0.50/1K tokens, $1.50/sq. ft. of it, $25/sf, 5:30/km, 10 mg/h',
      'fifty cents per one thousand tokens, one dollar and fifty cents per square foot of it, twenty-five dollars per square foot, five thirty per kilometer, ten milligrams per hour',
    ],
  ],
  // andymai/gridfinity-layout-tool 2503
  'times, by and over': [
    [
      'a 3×3 grid, 4×4 matrix, a 9×13 pan, 2 × 3 = 6, 2 x 400g tins, 2x400g',
      'a three by three grid, four by four matrix, a nine by thirteen pan, two times three equals six, two times four hundred gram tins, two times four hundred grams',
    ],
    [
      '10/2 = 5, 100/4 = 25, 3/4 = 0.75, x/2, 2π/3',
      'ten divided by two equals five, one hundred divided by four equals twenty-five, three quarters equals zero point seven five, x over two, two pi over three',
    ],
    [
      'was 120/80 last week, a reading of 90/60, 20/40 vision, 20-20 vision, 100/20 Mbps',
      'was one hundred twenty over eighty last week, a reading of ninety over sixty, twenty forty vision, twenty twenty vision, one hundred slash twenty megabits per second',
    ],
    ['1/250 s, 1/60th, 1/1000 s', 'one two hundred fiftieth of a second, one sixtieth, one one thousandth of a second'],
  ],
  'ratios and scales': [
    [
      '1:12 scale, a 1:50 dilution, mix 1:10, 1:1000, 3:2:1, at 1:12',
      'one to twelve scale, a one to fifty dilution, mix one to ten, one to one thousand, three to two to one, at one twelve',
    ],
  ],
  'dates without a year after other words': [
    [
      'before 5/31, moved to 6/19, from 5/31 to 6/19, 12/25, 5/31 at 3pm, by 1/2, 6/7 May',
      'before May thirty-first, moved to June nineteenth, from May thirty-first to June nineteenth, December twenty-fifth, May thirty-first at three PM, by one half, sixth slash seventh of May',
    ],
    [
      '2026-11-30 18:02:46,123, 18:02:46,123, w/2 eggs',
      'November thirtieth, twenty twenty-six at eighteen oh two and forty-six seconds, eighteen hours two minutes and forty-six point one two three seconds, with two eggs',
    ],
  ],
  'amounts that describe a noun after other words': [
    // denolfe/hacker-news-highlights 5
    [
      "the $1.4 billion loan, Biden's $2 trillion plan, a $5-$10 fee, two 12 oz cans, the 30 kg bag, a 60W bulb, 9V batteries",
      "the one point four billion dollar loan, Biden's two trillion dollar plan, a five to ten dollar fee, two twelve ounce cans, the thirty kilogram bag, a sixty watt bulb, nine volt batteries",
    ],
    [
      "the $100 you owe, the $5 million he raised, it's 5 km away, the 10 m high wall",
      "the one hundred dollars you owe, the five million dollars he raised, it's five kilometers away, the ten meters high wall",
    ],
    [
      'a $20-a-month plan, a $100+ million deal, ₹2 lakh crore, ₹500/-',
      'a twenty dollars a month plan, a one hundred plus million dollar deal, two lakh crore rupees, five hundred rupees',
    ],
  ],
  // EFord36/normalise 114, FluidInference/text-processing-rs 60
  'numerals of rulers and of sons': [
    [
      'King Abdullah II, King Carl XVI Gustaf, Pope Sixtus V, King Juan Carlos I, Thurston Howell III, Final Fantasy VII',
      'King Abdullah the second, King Carl the sixteenth Gustaf, Pope Sixtus the fifth, King Juan Carlos the first, Thurston Howell the third, Final Fantasy seven',
    ],
    [
      'Chapters I–III, Books I and II, Book IV, The Article I wrote, Use VI or vim, Type I',
      'Chapters one to three, Books one and two, Book four, The Article I wrote, Use VI or vim, Type one',
    ],
  ],
  // Fang-/suite 12
  'books of the Bible of which there are several': [
    [
      '1 Corinthians 13, II Kings 2:1, I Corinthians 13:4, Genesis 1:1–2:3, Jn 1:1, Song of Solomon 2:4',
      'first Corinthians thirteen, second Kings two one, first Corinthians thirteen four, Genesis one one to two three, John one one, Song of Solomon two four',
    ],
  ],
  'units with full stops, and more of them': [
    [
      '1 lb. 8 oz. of beef, 2 hr. 30 min., 2 gal. 3 qt. of it, 5 mos. ago, 5 mi. SW of it, a 6-qt. pot',
      'one pound eight ounces of beef, two hours thirty minutes, two gallons three quarts of it, five months ago, five miles southwest of it, a six quart pot',
    ],
    [
      '10 kt, 29.92 inHg, 120 mm Hg, a 20 A fuse, 300 K, 10 J, 100 nH, 10 µM, 10 lb-in, 100 KM/H, 6mo, 300 cd/m²',
      'ten knots, twenty-nine point nine two inches of mercury, one hundred twenty millimeters of mercury, a twenty amp fuse, three hundred kelvin, ten joules, one hundred nanohenrys, ten micromolar, ten pound inches, one hundred kilometers per hour, six months, three hundred candelas per square meter',
    ],
  ],
  'points of the compass': [
    [
      'NE 23rd Ave, S. Main St., I-5 N, I-95 S/B, 10 km NE of Tokyo, wind NNE, W winds',
      'Northeast twenty-third Avenue, South Main Street, I five north, I ninety-five southbound, ten kilometers northeast of Tokyo, wind north-northeast, west winds',
    ],
  ],
  'names with numbers, and numbers of accounts': [
    [
      'Form 1099, a 404 error, the 737 MAX, the 405 freeway, Flight 370, 1-888-CALL-NOW',
      'Form ten ninety-nine, a four oh four error, the seven thirty-seven MAX, the four oh five freeway, Flight three seventy, one, eight eight eight, CALL-NOW',
    ],
    [
      'Acct. #12345678, PMID: 12345678, c. 500 BC, 2025/2026, h4x0r',
      'Acct. number one two three four five six seven eight, PMID: one two three four five six seven eight, circa five hundred BC, twenty twenty-five twenty twenty-six, h4x0r',
    ],
    ['#include <stdio.h>', 'hash include <stdio.h>'],
  ],
  'seconds of something, and players': [
    [
      'bills: 20s, 50s, 100s, the first 30s of it, an hour and 30s, 30s of silence, 60s max, the 49ers, the 76ers',
      'bills: twenties, fifties, one hundreds, the first thirty seconds of it, an hour and thirty seconds, thirty seconds of silence, sixty seconds max, the forty-niners, the seventy-sixers',
    ],
  ],
  'numbers to text, and more units and labels': [
    [
      'Text HOME to 741741, reach 911, 911 was called, runways 27L and 9L, Ran my first 5k, a charity 10k',
      'Text HOME to seven four one seven four one, reach nine one one, nine one one was called, runways twenty-seven L and nine L, Ran my first five K, a charity ten K',
    ],
    [
      '5/10 GHz, 10 N/m², 1,000cfm, 2,000cals, 5 1/2 in., from 5/12 to 6/19, 12/20-1/5',
      'five slash ten gigahertz, ten newtons per square meter, one thousand cubic feet per minute, two thousand calories, five and a half inches, from May twelfth to June nineteenth, December twentieth to January fifth',
    ],
    ['the 2d Cir. ruled, HCO3-, 8m to go', 'the second Circuit ruled, HCO3 minus, eight minutes to go'],
  ],
  'more of the same kinds': [
    [
      '50 tokens/s, 96 kbit/s, 10 U/mL, 2 rad/s, 200 people/sq mi, 7 cells/mm³, 10 mg/m2/day',
      'fifty tokens per second, ninety-six kilobits per second, ten U per milliliter, two radians per second, two hundred people per square mile, seven cells per cubic millimeter, ten milligrams per square meter per day',
    ],
    [
      '10 – 3 = 7, 5–3=2, -$.50, 5\'11½", a 4/5 rating, MON-FRI, Monday—Friday, Model 3s, 747-400s',
      'ten minus three equals seven, five minus three equals two, minus fifty cents, five feet eleven and a half inches, a four out of five rating, Monday to Friday, Monday to Friday, Model threes, seven hundred forty-seven four hundreds',
    ],
    [
      'Table 4L, Aisle 3L, arriving in 5m, 12m ETA',
      'Table four L, Aisle three L, arriving in five minutes, twelve minutes ETA',
    ],
  ],
  'more several, spans and described amounts': [
    [
      'The 5,000s, rolled 6s, counting by 5s, 2021-10–2021-12, ISO 2024-10-05, NZD 20 to 30, The $2 Million Bug',
      'The five thousands, rolled sixes, counting by fives, October twenty twenty-one to December twenty twenty-one, ISO October fifth, twenty twenty-four, twenty to thirty New Zealand dollars, The two Million dollar Bug',
    ],
    [
      'King Rama X, Mt 5:3, 1-877-KARS-4-KIDS',
      'King Rama the tenth, Matthew five three, one, eight seven seven, KARS four-KIDS',
    ],
  ],
  'more dockets, sentences and lengths': [
    [
      'Nos. 21-1234 and 21-1235, Nos. 5-10, Pass the tab. 4 of us will pay. Ask for an ext. 5 people can help.',
      'Numbers twenty-one twelve thirty-four and twenty-one twelve thirty-five, Numbers five to ten, Pass the tab. four of us will pay. Ask for an ext. five people can help.',
    ],
    ['.5", 1,000\', output " 1". Then', 'point five inches, one thousand feet, output " one". Then'],
  ],
  'books with Roman numerals, and currencies that are named twice': [
    [
      'I Cor. 13:4, II Tim. 3:16, 1 Cor. 13, should I meet Tim 3:30',
      'first Corinthians thirteen four, second Timothy three sixteen, first Corinthians thirteen, should I meet Tim three thirty',
    ],
    [
      "it's $5 million dollars, 2 x 400g tins, £20 pounds",
      "it's five million dollars, two times four hundred gram tins, twenty pounds",
    ],
  ],
  'rates of money of two units': [
    [
      '$1/GB/month, $4.99/3mo, 3 tbsp/cup, x²/4, 2×4 lumber',
      'one dollar per gigabyte per month, four dollars and ninety-nine cents per three months, three tablespoons per cup, x squared over four, two by four lumber',
    ],
  ],
};
