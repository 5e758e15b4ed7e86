import { AMBIGUOUS_EXAMPLES } from './ambiguous-examples.js';
import { REPORTED_EXAMPLES } from './reported-examples.js';

/** Texts, by what they are about, each with its words. */
export const EXAMPLES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  numbers: [
    ['0 7 12 85 100 1,234', 'zero seven twelve eighty-five one hundred one thousand two hundred thirty-four'],
    ['1,000,000 or 3.14 or .5', 'one million or three point one four or point five'],
    ['-7, 5 - 3, 2 + 2 = 4', 'minus seven, five minus three, two plus two equals four'],
    ['007', 'zero zero seven'],
    [
      '12,345,678,901,234,567,890',
      'twelve quintillion three hundred forty-five quadrillion six hundred seventy-eight trillion nine hundred one billion two hundred thirty-four million five hundred sixty-seven thousand eight hundred ninety',
    ],
    ['1,2,3', 'one, two, three'],
    ['#5, No. 7, ~9', 'number five, Number seven, about nine'],
    ['5–10, 5-10', 'five to ten, five to ten'],
    ['10k of 2M', 'ten thousand of two million'],
  ],
  ordinals: [['1st 2nd 3rd 21st 112th', 'first second third twenty-first one hundred twelfth']],
  years: [
    ['in 1984, 2005 and 2026', 'in nineteen eighty-four, two thousand five and twenty twenty-six'],
    ['in 1066, but 1234 apples', 'in ten sixty-six, but one thousand two hundred thirty-four apples'],
    ['1900 and 1905', 'nineteen hundred and nineteen oh five'],
    ['the 1980s and ’90s', 'the nineteen eighties and nineties'],
    ['1999-2003', 'nineteen ninety-nine to two thousand three'],
  ],
  money: [
    ['$3.50 $1 $0.05 -$2', 'three dollars and fifty cents one dollar five cents minus two dollars'],
    ['€5, 20 €, £1m, $2.5 billion', 'five euros, twenty euros, one million pounds, two point five billion dollars'],
    ['£0.01 or ¥300', 'one penny or three hundred yen'],
    ['$5–10', 'five to ten dollars'],
  ],
  dates: [
    ['2026-11-21', 'November twenty-first, twenty twenty-six'],
    ['May 5, 2026', 'May fifth, twenty twenty-six'],
    ['Sept. 3rd', 'September third'],
    ['2026-13-41', 'two zero two six, one three, four one'],
  ],
  times: [
    ['10:30, 10:05, 10:00, 14:00', "ten thirty, ten oh five, ten o'clock, fourteen hundred"],
    ['At 5 p.m. Then go at 10:30am.', 'At five PM. Then go at ten thirty AM.'],
    ['16:9', 'sixteen to nine'],
  ],
  fractions: [
    ['1/2, 3/4, 2 1/2, 2½, 24/7', 'one half, three quarters, two and a half, two and a half, twenty-four seven'],
    ['9/11, 9/13', 'nine eleven, nine slash thirteen'],
  ],
  units: [
    ['50%, 3.5 %', 'fifty percent, three point five percent'],
    ['90 km/h, 1 kg, 5ft, 10 m²', 'ninety kilometers per hour, one kilogram, five feet, ten square meters'],
    ['-5 °C, 1°', 'minus five degrees Celsius, one degree'],
  ],
  'telephones, versions and machines': [
    ['call 555-1234', 'call five five five, one two three four'],
    ['(555) 123-4567', 'five five five, one two three, four five six seven'],
    ['+49 30 1234567', 'plus four nine, three zero, one two three four five six seven'],
    ['4155551234', 'four one five five five five one two three four'],
    ['v1.2.3', 'version one point two point three'],
    ['10.0.0.1', 'one zero dot zero dot zero dot one'],
    ['123-45-6789, ending in 8876', 'one two three, four five, six seven eight nine, ending in eight eight seven six'],
    // NickMonrad/kernel-ai-assistant 1486
    [
      '1300 555 019 or 020 7946 0958',
      'one three zero zero, five five five, zero one nine or zero two zero, seven nine four six, zero nine five eight',
    ],
    ['(555)555-5555', 'five five five, five five five, five five five five'],
  ],
  abbreviations: [
    ['Dr. Hu vs. Mr. Bo', 'Doctor Hu versus Mister Bo'],
    ['St. Ives, Main St. here', 'Saint Ives, Main Street here'],
    ['Tea, e.g. green, etc. Then more, etc.', 'Tea, for example green, et cetera. Then more, et cetera.'],
    ['approx. 5', 'approximately five'],
  ],
  addresses: [
    [
      'Ask a.b@example.com, or see https://www.example.org/a-1.',
      'Ask a dot b at example dot com, or see www dot example dot org slash a dash one.',
    ],
    ['example.com and notes.txt', 'example dot com and notes dot txt'],
    ['Node.js reads a.b(c).json', 'Node dot js reads a.b(c) dot json'],
    ['www.example.com/rtx-6000-5', 'www dot example dot com slash rtx dash six thousand dash five'],
  ],
  // 0xShug0/audio.cpp 259, anthropics and vendors' guides: digits that are no number
  'digits in groups': [
    [
      '135-4567-8900, 978-3-16-148410-0',
      'one three five, four five six seven, eight nine zero zero, nine seven eight, three, one six, one four eight four one zero, zero',
    ],
    ['4111 1111 1111 1111', 'four one one one, one one one one, one one one one, one one one one'],
    ['192.168.1.1:8080', 'one nine two dot one six eight dot one dot one colon eight zero eight zero'],
    ['Call 911, dial 0.', 'Call nine one one, dial zero.'],
    [
      'Springfield, IL 62704, or 62704-1234',
      'Springfield, IL six two seven zero four, or six two seven zero four, one two three four',
    ],
    ['1.000,50 €, 1.000.000, 1’000', 'one thousand euros and fifty cents, one million, one thousand'],
    [
      '27,50 €, €27,50, EUR 3,99, 12,5 %, €27,500',
      'twenty-seven euros and fifty cents, twenty-seven euros and fifty cents, three point nine nine euros, twelve point five percent, twenty-seven thousand five hundred euros',
    ],
    ['5~6 people, ~5', 'five to six people, about five'],
    ['Dec. 2023, Mar 1999', 'December twenty twenty-three, March nineteen ninety-nine'],
    ['1 000 000 people, 25 000 cars', 'one million people, twenty-five thousand cars'],
    ['Rs. 500', 'five hundred rupees'],
    ['$25.46T, $5x', 'twenty-five point four six trillion dollars, five dollars x'],
    ['EUR/USD 1.08', 'EUR slash USD one point zero eight'],
    ['up +2.1% (+5), UTC-5, GMT+2', 'up plus two point one percent (plus five), UTC minus five, GMT plus two'],
    ['2023/24, 4.5/5', 'twenty twenty-three twenty-four, four point five out of five'],
    ['2Q22, FY2023', 'the second quarter of twenty-two, FY twenty twenty-three'],
  ],
  'places, days and times': [
    ['42nd St, 12 Elm Rd, Sunset Blvd', 'forty-second Street, twelve Elm Road, Sunset Boulevard'],
    ['Apt. 4, Hwy 101', 'Apartment four, Highway one oh one'],
    ['Mon., Tues., Sat. 5', 'Monday, Tuesday, Saturday five'],
    ['1:59 p.m.est, 5 p.m. EST', 'one fifty-nine PM EST, five PM EST'],
    ['1:01:05, 10:00:00 p.m.', 'one hour one minute and five seconds, ten PM.'],
    ['Psalm 23:1-3', 'Psalm twenty-three one to three'],
    ['the 60s, in his 40s, the 30s timeout', 'the sixties, in his forties, the thirty second timeout'],
  ],
  'measures with signs and full stops': [
    ['6 ft 2 in. tall, 12" pizza, "at 12" he said', 'six feet two inches tall, twelve inch pizza, "at twelve" he said'],
    [
      '8 oz. of milk, 2 tbsp, 9.8 m/s²',
      'eight ounces of milk, two tablespoons, nine point eight meters per second squared',
    ],
    ['3 Å, 300dpi, 24MP', 'three angstroms, three hundred dots per inch, twenty-four megapixels'],
  ],
  'ranges of days and months': [
    ['Jan 5 - Feb 3, Nov. 28–Dec. 2', 'January fifth to February third, November twenty-eighth to December second'],
    ['Jan–Mar, 9-11 AM', 'January to March, nine to eleven AM'],
    ['c. 1450', 'circa fourteen fifty'],
  ],
  'numbers that name something': [
    ['my zip is 90210, OTP: 482 913', 'my zip is nine zero two one zero, OTP: four eight two, nine one three'],
    [
      'order 10045-22, 10000-15000 people',
      'order one zero zero four five, two two, ten thousand to fifteen thousand people',
    ],
    [
      '07700 900123, (02) 9999 1234',
      'zero seven seven zero zero, nine zero zero one two three, zero two, nine nine nine nine, one two three four',
    ],
    ['401(k), a 50-50 or 70/30 split', 'four oh one k, a fifty-fifty or seventy thirty split'],
    ['100s of users, 1,000,000s of cars, 10,000s of', 'hundreds of users, millions of cars, tens of thousands of'],
    ['Vol. IV, pt. 2', 'Volume four, part two'],
    ['1⁄2 cup, 5㎏, +/-5, A ∪ B', 'one half cup, five kilograms, plus or minus five, A union B'],
  ],
  'what assistants write': [
    ['Hello ---- there\n=====\n*** and ___', 'Hello there\n \n and '],
    ['1-800-FLOWERS, 0x8007', 'one, eight zero zero, FLOWERS, zero x eight zero zero seven'],
    [
      '0:58.3, 2:05.25, 25:00',
      'fifty-eight point three seconds, two minutes five point two five seconds, twenty-five minutes',
    ],
    ['1:10,000, PM2.5, 2**8', 'one to ten thousand, PM two point five, two to the eighth'],
    ['1-1/2 hrs, ½ hr, 2/3rds', 'one and a half hours, one half of an hour, two thirds'],
    ['8-oz. pkg, 3 pts', 'eight ounce pkg, three points'],
    ['the 1st of Jan., in Sept. it was', 'the first of January, in September it was'],
    [
      '37°46\'30"N, 40.7° W',
      'thirty-seven degrees forty-six minutes thirty seconds north, forty point seven degrees west',
    ],
  ],
  'ranges with units, and numbers of other countries': [
    [
      '20°C-25°C, 100 km/h–120 km/h',
      'twenty degrees Celsius to twenty-five degrees Celsius, one hundred kilometers per hour to one hundred twenty kilometers per hour',
    ],
    [
      '$5k-$10k, A–Z, 2010–present, noon-1pm',
      'five thousand dollars to ten thousand dollars, A to Z, twenty ten to present, noon to one PM',
    ],
    ['CHF 1’200.50, Rs 1,00,000', 'one thousand two hundred point five zero Swiss francs, one hundred thousand rupees'],
    ['07:30h, 2024.03.05', 'seven thirty, March fifth, twenty twenty-four'],
    [
      'Tue, 5 Mar 2024, Dec. ’24, Q4’23',
      'Tuesday, fifth of March twenty twenty-four, December twenty-four, Q4 twenty-three',
    ],
    ['§§ 4, 2x/day, w/out, 70 kg/m³', 'sections four, two times per day, without, seventy kilograms per cubic meter'],
    ['2x+3=7, 3(x-1)', 'two x plus three equals seven, three(x minus one)'],
  ],
  'names with signs': [
    ['C#, C++, .NET, #topic, @user', 'C sharp, C++, dot NET, hashtag topic, at user'],
    ['and/or, he/she, w/o, ∆t', 'and or, he or she, without, delta t'],
  ],
  // christopherthompson81/vernacula 216, yf-hk/transliteration 228
  'small units': [
    ['50 µg, 50 μg, 250 mcg', 'fifty micrograms, fifty micrograms, two hundred fifty micrograms'],
    ['5 µm, 20 µl, 5 µg/ml', 'five micrometers, twenty microliters, five micrograms per milliliter'],
    ['10 kΩ, 10 Ω', 'ten kilohms, ten ohms'],
    ['100 million kg at 12/kg', 'one hundred million kilograms at twelve per kilogram'],
  ],
  // FluidInference/text-processing-rs 48 and 44, NVIDIA-NeMo/Speech 4361
  'ranges of times and dates': [
    ['Open 9am-5pm.', 'Open nine AM to five PM.'],
    ['10:00–11:30', "ten o'clock to eleven thirty"],
    ['8:30 a.m. - 4 p.m. today', 'eight thirty AM to four PM today'],
    ['May 3–5, 2026 or May 3-5', 'May third to fifth, twenty twenty-six or May third to fifth'],
    [
      '1980s-90s, 1960s-1980s, mid-80s',
      'nineteen eighties to nineties, nineteen sixties to nineteen eighties, mid-eighties',
    ],
    [
      '$250-$300, $5.50-$10.25',
      'two hundred fifty to three hundred dollars, five dollars and fifty cents to ten dollars and twenty-five cents',
    ],
  ],
  'dates of other forms': [
    [
      'july 25 2012, 25 jul 2012, Jan-15-2020',
      'July twenty-fifth, twenty twelve, twenty-fifth of July twenty twelve, January fifteenth, twenty twenty',
    ],
    [
      '10/06/2005, 15.01.2020, 2016/07/03',
      'October sixth, two thousand five, fifteenth of January twenty twenty, July third, twenty sixteen',
    ],
    ['You may 5 times march 3 miles', 'You may five times march three miles'],
    ['2026-11-27T10:30Z', 'November twenty-seventh, twenty twenty-six at ten thirty UTC'],
  ],
  // nvaccess/nvda 953, 1615 and 7263, espeak-ng/espeak-ng 1739
  'other currencies': [
    [
      'C$20, A$1.50, R$50, HK$5, US$5',
      'twenty Canadian dollars, one Australian dollar and fifty cents, fifty reais, five Hong Kong dollars, five US dollars',
    ],
    [
      '100$, ₩5,000, 50¢, $.01, $20.5',
      'one hundred dollars, five thousand won, fifty cents, one cent, twenty dollars and fifty cents',
    ],
    ['$20/mo, ¥30 b', 'twenty dollars per month, thirty billion yen'],
  ],
  // OpenMOSS/MOSS-TTS-Nano 31, openlibhums/janeway 4238
  'Greek letters': [
    ['π is 3.14, α and β-blockers', 'pi is three point one four, alpha and beta-blockers'],
    ['Δt = 5 s', 'delta t equals five seconds'],
    ['η γάτα', 'η γάτα'],
  ],
  // mdn/browser-compat-data 24031, wenet-e2e/WeTextProcessing 347, Khan/mathquill 13
  sums: [
    ['7-3=4. So 10-3-2=5', 'seven minus three equals four. So ten minus three minus two equals five'],
    ['5-3 = ?', 'five minus three equals?'],
    ['y=x + 1, 2x8', 'y equals x plus one, two by eight'],
    ['pages 10-12, wide-awake, −5, GPT-4', 'pages ten to twelve, wide-awake, minus five, GPT four'],
  ],
  // ken107/read-aloud 418, perminder-klair/subwave 963, espeak-ng/espeak-ng 2523
  'characters that Unicode folds': [
    ['Nike™ shoes, № 5', 'Nike shoes, Number five'],
    ['20℃, 70℉', 'twenty degrees Celsius, seventy degrees Fahrenheit'],
    [
      '6.02×10²³, x² + y², 10⁻⁶',
      'six point zero two times ten to the twenty-third, x squared plus y squared, ten to the minus six',
    ],
    ['𝐛𝐨𝐥𝐝 𝟓, 5⅝, ⅖', 'bold five, five and five eighths, two fifths'],
    ['Up ↑, a → b', 'Up up, a to b'],
  ],
  // NVIDIA/NeMo-text-processing 477, christopherthompson81/vernacula 75
  'ranges of units, and signs between letters': [
    ['2-3 mins, 2-3 hrs', 'two to three minutes, two to three hours'],
    ['AT&T, SR&ED', 'AT and T, SR and ED'],
  ],
  'streets and drives': [
    [
      '1428 Elm St. It was on Sunset Dr. He saw Dr. Hu.',
      'fourteen twenty-eight Elm Street. It was on Sunset Drive. He saw Doctor Hu.',
    ],
    ['In St. Louis', 'In Saint Louis'],
  ],
  'what several rules could take': [
    ['.1665 of 1,000', 'point one six six five of one thousand'],
    ['the 1,000th time', 'the one thousandth time'],
    ['1980 s, or 1961–1965', 'one thousand nine hundred eighty seconds, or nineteen sixty-one to nineteen sixty-five'],
    ['17 may 2010 and 23rd july, 1998', 'seventeenth of May twenty ten and twenty-third of July nineteen ninety-eight'],
    ['15-01-2020', 'fifteenth of January twenty twenty'],
    ['at 1.59 p.m. sharp', 'at one fifty-nine PM sharp'],
    ['555.555.5555', 'five five five, five five five, five five five five'],
    ['+1 (123) 555-5678', 'plus one, one two three, five five five, five six seven eight'],
    ['She lived at 1428 Elm St. for years.', 'She lived at fourteen twenty-eight Elm Street for years.'],
    ['on 1428 Elm St.', 'on fourteen twenty-eight Elm Street.'],
    ['-0.1, route-66.5', 'minus zero point one, route sixty-six point five'],
    ['-0.004kg, $.01,here', 'minus zero point zero zero four kilograms, one cent, here'],
    ['since 23rd july,1998', 'since twenty-third of July, nineteen ninety-eight'],
    ['y=x +1, 1/f-4s, °2026', 'y equals x plus one, one/f-four seconds, degrees twenty twenty-six'],
    ['123/261/2021', 'one hundred twenty-three slash two hundred sixty-one slash twenty twenty-one'],
    ['Come to 12 Elm St. Bring cake.', 'Come to twelve Elm Street. Bring cake.'],
    ['2½ cups, 2 ½ cups, ½cup', 'two and a half cups, two and a half cups, one half cup'],
    ['1/4th of ½kg', 'one quarter of one half of a kilogram'],
    ['2+3 m2, 7 - 3 kg', 'two plus three square meters, seven minus three kilograms'],
    ['a 3x5 m room, 4.4x', 'a three by five meters room, four point four times'],
    ['2*8, 5×3 m', 'two times eight, five by three meters'],
    ['5 - 10 kg, pages 1,000 - 1,010', 'five to ten kilograms, pages one thousand to one thousand ten'],
    ['5% + 3%', 'five percent plus three percent'],
    ['issue#5 or size~5', 'issue number five or size about five'],
    ['~5 kg for ~$5', 'about five kilograms for about five dollars'],
    ['20ºC, °C and °F', 'twenty degrees Celsius, degrees Celsius and degrees Fahrenheit'],
    ['a few ° here & there', 'a few degrees here and there'],
    ['4.7 k\u2126, red/green', 'four point seven kilohms, red slash green'],
  ],
  'powers, comparisons and arrows': [
    ['10^3, 2^10, x^-2', 'ten cubed, two to the tenth, x to the minus two'],
    ['1e6, 5e-3', 'one times ten to the sixth, five times ten to the minus three'],
    ['(2+3)*4', '(two plus three) times four'],
    [
      '<5, >10, a <= b, x < y, y > 2',
      'less than five, more than ten, a is at most b, x is less than y, y is greater than two',
    ],
    ['a >= b, a != b, a == b', 'a is at least b, a is not equal to b, a equals b'],
    ['a -> b => c', 'a to b to c'],
    ['–5°C, (–7)', 'minus five degrees Celsius, (minus seven)'],
  ],
  'lengths, times and currencies by their codes': [
    ['5’10”, 6ft 2in', 'five feet ten inches, six feet two inches'],
    ['1in, 2h 5m, 1h30, 5m ago', 'one inch, two hours five minutes, one hour thirty minutes, five minutes ago'],
    ['Mon-Fri, 1st–3rd', 'Monday to Friday, first to third'],
    [
      'USD 5, 20 EUR, GBP 1, ISK 1,500',
      'five US dollars, twenty euros, one British pound, one thousand five hundred Icelandic krónur',
    ],
    ['$5 USD, w/e', 'five US dollars, w/e'],
    ['50/50, w/o milk, w/ tea', 'fifty-fifty, without milk, with tea'],
  ],
  'formulas and quotients': [
    ['12 / 4 = 3, 98 / 100', 'twelve divided by four equals three, ninety-eight out of one hundred'],
    ['1795 / 1805', 'seventeen ninety-five out of eighteen oh five'],
    ['5 * 3 + 2 / 1 - 4', 'five times three plus two divided by one minus four'],
    ['3x - 5, x² − y²', 'three x minus five, x squared minus y squared'],
    ['2^32-1', 'two to the thirty-second minus one'],
    ['3 - -4, from -10 - -5', 'three minus minus four, from minus ten to minus five'],
    ['F(b) − F(a), x^n', 'F(b) minus F(a), x to the n'],
    ['5! = 120', 'five factorial equals one hundred twenty'],
    ['2πr, 1σ', 'two pi r, one sigma'],
    ['5 x 3 = 15, 2 m x 3 m', 'five times three equals fifteen, two meters by three meters'],
    ['Eq. (5), Op. 27', 'Equation (five), Opus twenty-seven'],
  ],
  'ratings, readings and sizes': [
    ['4/5 stars, rated 8/10', 'four out of five stars, rated eight out of ten'],
    [
      'BP 120/80, 118/76 mmHg',
      'BP one hundred twenty over eighty, one hundred eighteen over seventy-six millimeters of mercury',
    ],
    ['two 2x4s and 2x6s', 'two two by fours and two by sixes'],
    ['8.5" x 11"', 'eight point five by eleven inches'],
    ['1,5 kg, 2,75 km', 'one point five kilograms, two point seven five kilometers'],
    ['180˚, 20 ˚C', 'one hundred eighty degrees, twenty degrees Celsius'],
    ['4:05 min/km', 'four oh five per kilometer'],
  ],
  'ranges of other forms': [
    ['1-3 January, 10–12 May 2026', 'first to third of January, tenth to twelfth of May twenty twenty-six'],
    ['9:30-11, John 3:16-18', 'nine thirty to eleven, John three sixteen to eighteen'],
    ['Sat 10am-2pm, Sun 9-5', 'Saturday ten AM to two PM, Sunday nine to five'],
    ['1/2-3/4 cup', 'one half to three quarters cup'],
    ['3k-5k, 1.5-2M, Q1-Q3', 'three thousand to five thousand, one point five to two million, Q1 to Q3'],
  ],
  'numbers in names': [
    // rhasspy/piper 363
    ['Type II and Phase I, Super Bowl LVIII, class XLL', 'Type two and Phase one, Super Bowl fifty-eight, class XLL'],
    // nvaccess/nvda 14428
    ['1.009 €, €2.500', 'one thousand nine euros, two thousand five hundred euros'],
    ['the 747-400', 'the seven hundred forty-seven four hundred'],
    ['802.11ac, 3.5a', 'eight oh two dot eleven ac, three point five a'],
    ['#100DaysOfCode, $AAPL', 'hashtag one hundred Days Of Code, AAPL'],
    ['N° 3, Nº 5', 'Number three, Number five'],
  ],
  'comparisons in sentences': [
    [
      'it was < 5, keep it at ≥ 2, it’s > 3, (≤ 10%), ages <18 and >65',
      'it was less than five, keep it at at least two, it’s more than three, (at most ten percent), ages less than eighteen and more than sixty-five',
    ],
    ['x ≥ 5, BMI < 30, it is != 0', 'x is at least five, BMI is less than thirty, it is not equal to zero'],
    ['a && b || c, a <=> b, x <- 5', 'a and b or c, a if and only if b, x from five'],
  ],
  'numbers of standards, models and versions': [
    [
      'ISO 8601, RFC 793, RTX 4090, Xbox 360, Boeing 747-8, Highway 101',
      'ISO eighty-six oh one, RFC seven ninety-three, RTX forty ninety, Xbox three sixty, Boeing seven forty-seven eight, Highway one oh one',
    ],
    ['H.264 and G.711', 'H two six four and G seven one one'],
    ['Qwen2.5-72B, gpt3.5, Python3.12', 'Qwen two point five 72B, gpt three point five, Python three point one two'],
    ['an i7-12700K, USD5.50, RM5', 'an i7-12700K, five point five zero US dollars, five ringgit'],
  ],
  'numbers to dial and of accounts': [
    ['Dial 112 or 999. Call 911, 112', 'Dial one one two or nine nine nine. Call nine one one, one one two'],
    [
      'IBAN DE89 3704 0044 0532 0130 00, GB29NWBK60161331926819',
      'IBAN D E eight nine, three seven zero four, zero zero four four, zero five three two, zero one three zero, zero zero, GB29NWBK60161331926819',
    ],
  ],
  'rulers named I': [
    [
      'King Charles I was here, Francis I of France, Charles, I say',
      'King Charles the first was here, Francis the first of France, Charles, I say',
    ],
  ],
  'measures in recipes and on roads': [
    [
      '8.5 x 11 in, at 350-375 F, Temp: 72F',
      'eight point five by eleven inches, at three hundred fifty to three hundred seventy-five degrees Fahrenheit, Temp: seventy-two degrees Fahrenheit',
    ],
    [
      '1 doz. eggs, 2 pkg. yeast, 8 L/100 km',
      'one dozen eggs, two packages yeast, eight liters per one hundred kilometers',
    ],
    ['grades K–5, App. B', 'grades K five, Appendix B'],
  ],
  'keys, isotopes and hours': [
    [
      'Ctrl+C, Cmd+Shift+P, Alt-F4, press Esc, Shift-left',
      'Control C, Command Shift P, Alt F4, press Escape, Shift-left',
    ],
    ['¹⁴C, ²³⁵U, x²', 'C fourteen, U two hundred thirty-five, x squared'],
    ['36/km², 5/km', 'thirty-six per square kilometer, five per kilometer'],
    ['0800 hours, 18h05', 'oh eight hundred hours, eighteen hours five minutes'],
  ],
  'what is not a number': [
    ['MP3, H2O, 4K', 'MP3, H2O, 4K'],
    ['Well, yes. No.', 'Well, yes. No.'],
  ],
  ...REPORTED_EXAMPLES,
  ...AMBIGUOUS_EXAMPLES,
};
