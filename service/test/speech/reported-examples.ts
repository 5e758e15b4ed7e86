/** Texts that users of other products reported as read wrongly, by what they are about, each with its words. */
export const REPORTED_EXAMPLES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  // espeak-ng/espeak-ng 2546, linuxscout/festival-tts-arabic-voices 2
  'digits of other scripts': [
    ['١٢٣, ۴۵, ७ and ໙', 'one hundred twenty-three, forty-five, seven and nine'],
    ['٣٫١٤, ١٬٠٠٠, ٥٠٪', 'three point one four, one thousand, fifty percent'],
    ['１０：３０, ５０％, ＄５, ￥５００', 'ten thirty, fifty percent, five dollars, five hundred yen'],
    ['３個, 第5章, 1000円', 'three 個, 第 five 章, one thousand yen'],
    ['①One, ❷ two, ⑶ three', ' one One, two two, (three) three'],
    ['Hello，world。Next、 ５〜７', 'Hello, world. Next, five to seven'],
  ],
  // nvaccess/nvda 17120, 19608 and 16466
  'letters of other shapes': [['sᴍᴀʟʟ ᴛᴇxᴛ, 🅱🅾🆇, 🅞🅺, ⓗⓘ, ℎ', 'small text, BOX, OK, hi, h']],
  // travisvn/obsidian-edge-tts 38, dudarenok-maker/Castwright 2310, jimholgate/readtextextension 21
  'characters that divide what belongs together': [
    [
      '\u202a+1 555 123 4567\u202c, $\u20605',
      'plus one, five five five, one two three, four five six seven, five dollars',
    ],
    ['10\u200bkm, 5\u201110, 1\ufe0f\u20e3 kg', 'ten kilometers, five to ten, one kilogram'],
    [
      '25\u00a0000 €, 1\u202f234\u202f567, 12\u2009345,67 €, 12\u00a0345 cars, Dr.\u00a0Hu',
      'twenty-five thousand euros, one million two hundred thirty-four thousand five hundred sixty-seven, twelve thousand three hundred forty-five euros and sixty-seven cents, twelve thousand three hundred forty-five cars, Doctor Hu',
    ],
    [
      '12 345 678 people, 12 345 €, 1_000_000',
      'twelve million three hundred forty-five thousand six hundred seventy-eight people, twelve thousand three hundred forty-five euros, one million',
    ],
    ['AT&amp;T, it&#39;s, 5&#x20ac;', "AT and T, it's, five euros"],
    ['don´t, it`s', "don't, it's"],
  ],
  // espeak-ng/espeak-ng 1671, nvaccess/nvda 12052, remsky/Kokoro-FastAPI 535, hexgrad/kokoro 108
  'Roman numerals': [
    ['Act Ⅳ, Chapter IV, Part I', 'Act four, Chapter four, Part one'],
    ['World War II, WWI, WW2', 'World War two, World War one, World War two'],
    [
      'Henry VIII, Louis XIV’s, Charles I, George V',
      'Henry the eighth, Louis the fourteenth’s, Charles I, George the fifth',
    ],
    ['John V. Smith', 'John V. Smith'],
    ['Diablo III, Start IV fluids, Elon X', 'Diablo three, Start IV fluids, Elon X'],
  ],
  // christopherthompson81/vernacula 197 and 199
  'signs that are dropped': [
    ['x ⩽ 5, x ≅ 3, a ⟶ b', 'x is at most five, x about three, a to b'],
    ['2⋅3, 3 · 4', 'two times three, three times four'],
    ['CH₄, H₂O, 1010₂', 'CH4, H2O, one thousand ten base two'],
    ['Na⁺, Ca²⁺, SO₄²⁻', 'Na plus, Ca two plus, SO4 two minus'],
    ['Up ▲ 3%, ▼ $5', 'Up up three percent, down five dollars'],
    ['A+, an A- grade, 100+, Disney+ is', 'A plus, an A minus grade, one hundred plus, Disney plus is'],
    ['A- and B-levels, C++', 'A- and B-levels, C++'],
    [
      'p<0.05, p=.03, x>5, <$5, >.5',
      'p is less than zero point zero five, p equals point zero three, x is greater than five, less than five dollars, more than point five',
    ],
    ['2ⁿ, 5 ‱', 'two to the n, five basis points'],
  ],
  // marytts/marytts 430, hmrc/accessibility 41, microsoft/Recognizers-Text 1800, matatonic/openedai-speech 94
  'amounts with a word or letters behind': [
    ['₹5 lakh, Rs 2.5 crore', 'five lakh rupees, two point five crore rupees'],
    [
      '£6.5mn, $2.5MM, a $5-million deal',
      'six point five million pounds, two point five million dollars, a five million dollar deal',
    ],
    ['USD 1.2 million, EUR 5m', 'one point two million US dollars, five million euros'],
    [
      '2.3B people, a 4.0L engine, an 8B model',
      'two point three billion people, a four point zero liter engine, an 8B model',
    ],
    [
      '$10/20, $-5, ₸500, ₿0.5, CN¥100, 5₸',
      'ten dollars slash twenty, minus five dollars, five hundred tenge, zero point five bitcoins, one hundred yuan, five tenge',
    ],
  ],
  // christopherthompson81/vernacula 233, wagwan-piffting-blud/EAS-Tools 79
  'units of other kinds': [
    [
      '100 litres/day, 250 BTU/hr, in km/h, $15/1M',
      'one hundred litres per day, two hundred fifty BTU per hour, in kilometers per hour, fifteen dollars per one million',
    ],
    ['20 nmi, 5 yrs, 50 MWh, 10 pF', 'twenty nautical miles, five years, fifty megawatt hours, ten picofarads'],
    [
      '100 sq. ft. of it, 12 fl. oz., 6 in. wide',
      'one hundred square feet of it, twelve fluid ounces, six inches wide',
    ],
    ['5 in², 5 ft³, 2.5 MPa', 'five square inches, five cubic feet, two point five megapascals'],
    ['25bps, 4chan', 'twenty-five bps, four chan'],
    ['5 ft 10 in tall, 10" x 12" x 3"', 'five feet ten inches tall, ten by twelve by three inches'],
    ['.5%, 5 Km/h, 16gb', 'zero point five percent, five kilometers per hour, sixteen gigabytes'],
    ["6'2, 18-24-year-olds", 'six feet two inches, eighteen to twenty-four-year-olds'],
    ['1m30s, 3d 4h', 'one minute thirty seconds, three days four hours'],
    [
      "3'4\" x 5'6\", 4'×8', 6' tall, 5/8\" bolt, 12″",
      'three feet four inches by five feet six inches, four feet by eight feet, six feet tall, five eighths inch bolt, twelve inches',
    ],
    ['1920×1080, f/2.8', 'nineteen twenty by ten eighty, f two point eight'],
  ],
  // davidacm/NVDA-IBMTTS-Driver 28, pndurette/gTTS 447, nvaccess/nvda 11594, mdn/kuma 7354, mapbox/mapbox-navigation-android 1577
  'what only looks like a date, a length or a street': [
    ['Assignment 1 Marks, 3 Marble, May 2020', 'Assignment one Marks, three Marble, May twenty twenty'],
    ["'Space 4', 'stand by 4'", "'Space four', 'stand by four'"],
    ['dd/mm/yyyy, CT 145, NE-123', 'dd slash mm slash yyyy, CT one hundred forty-five, NE one hundred twenty-three'],
  ],
  'names with numbers': [
    ['B-52s, Llama-3.1-8B, Ryzen 9 5900X', 'B-fifty-twos, Llama three point one-8B, Ryzen nine 5900X'],
    ['a 401k plan, 10.0.0.0/8', 'a four oh one k plan, one zero dot zero dot zero dot zero slash eight'],
  ],
  'dates and times of other forms': [
    [
      '5-Jan-2024, 05-JAN-24, 2024-1-5',
      'fifth of January twenty twenty-four, fifth of January twenty-four, January fifth, twenty twenty-four',
    ],
    ['2024-05, the 2004-05 season', 'May twenty twenty-four, the two thousand four to zero five season'],
    [
      'Jan 1st–3rd, Mon.–Fri. 9am-5pm, 8am–noon',
      'January first to third, Monday to Friday nine AM to five PM, eight AM to noon',
    ],
    ['12:30:15.5', 'twelve hours thirty minutes and fifteen point five seconds'],
    [
      'Psalm 23:4, Matthew 5:3–10, Sirach 13:4-7',
      'Psalm twenty-three four, Matthew five three to ten, Sirach thirteen four to seven',
    ],
  ],
  // marytts/marytts 433, christopherthompson81/vernacula 197 and 233
  'abbreviations without a full stop, or within a sentence': [
    [
      'Mr Brown, Dr Hu, Mr. & Mrs. Hu, Elm Dr Apt 4',
      'Mister Brown, Doctor Hu, Mister and Missus Hu, Elm Dr Apartment four',
    ],
    [
      'cats vs dogs, Roe v Wade, the max. speed, 10 min. on',
      'cats versus dogs, Roe versus Wade, the maximum speed, ten minutes on',
    ],
    ['221B Baker St', '221B Baker Street'],
    ['In the Sun. 5 left. Wait 10 sec. 5 more.', 'In the Sun. five left. Wait ten seconds. five more.'],
  ],
  // nvaccess/nvda 8826, SAP/spartacus 13754, ken107/read-aloud 344, Mudlet/Mudlet 4689, foobnix/LibreraReader 1370
  'signs that are no words': [
    ['Fine :-D thanks ^_^', 'Fine thanks '],
    ['★★★★☆, ★★★★★, 4.5★', 'four out of five stars, five stars, four point five stars'],
    ['<< Text here >> > test', ' Text here test'],
    ['As shown.¹ The notes², 5 meters²', 'As shown. The notes, five meters squared'],
  ],
  // naqoyqatsi83/cc-buddy 20, USDepartmentofLabor/Child-Labor 64, GCTC-NTGC/gc-digital-talent 3316
  'words that could be abbreviations': [
    [
      '3: No. I like art. I open a tab. I wait a sec. I go.',
      'three: No. I like art. I open a tab. I wait a sec. I go.',
    ],
    [
      'No. Civil war, vol. I, Fig. IV, No. 5, pp. ix-xi',
      'No. Civil war, volume one, Figure four, Number five, pages ix-xi',
    ],
    ['No. of people, said no. of course, ext. 23', 'Number of people, said no. of course, extension twenty-three'],
    ['Version 2 - now with maps, 2010 - present', 'Version two - now with maps, twenty ten to present'],
  ],
  // NickMonrad/kernel-ai-assistant 912
  'lines of a list': [
    [
      'Serves 3\n- 400 g turkey\n- 1/4 cup\n- 2 eggs',
      'Serves three\n- four hundred grams turkey\n- one quarter cup\n- two eggs',
    ],
    ['May 3\n- 5 eggs\n\nChapter 4\n1/2 cup', 'May third\n- five eggs\n\nChapter four\none half cup'],
    [
      'The sum of everything that is on this long list is 12\n- 5 eggs',
      'The sum of everything that is on this long list is twelve\n- five eggs',
    ],
    [
      'A line of an e-mail that ends because it is full on May\n5',
      'A line of an e-mail that ends because it is full on May fifth',
    ],
  ],
  // davidaustinm/prefigure 39, languagetool-org/languagetool 6205
  'minus before letters': [
    ['2 -pi, the -x power, -π/2, (-2x)', 'two minus pi, the minus x power, minus pi over two, (minus two x)'],
  ],
  // wet-boew/wet-boew 8785, pulibrary/bibdata 2209, 18F/culper 901
  'paths through menus': [
    [
      'Go to Settings > Privacy > Location. Open File > Save As.',
      'Go to Settings, Privacy, Location. Open File, Save As.',
    ],
    [
      'Home > Help, A > B, quality > price',
      'Home is greater than Help, A is greater than B, quality is greater than price',
    ],
  ],
  // 18F/culper 901, department-of-veterans-affairs/va.gov-team 2882
  'how many are done': [
    [
      '3/10 sections complete, 4/5 tests, 2 1/2 points, 3/4 cup',
      'three out of ten sections complete, four out of five tests, two and a half points, three quarters cup',
    ],
    ['Step 1/2, page 2/10', 'Step one of two, page two of ten'],
  ],
  // Automattic/wp-calypso 103996, RevenueCat/purchases-ios 7545
  'prices for a time': [
    [
      '$18 / year, $4.99/3mo, 10/month',
      'eighteen dollars per year, four dollars and ninety-nine cents per three months, ten per month',
    ],
  ],
  // marytts/marytts 488
  'time zones in hours, and spans that end a sentence': [
    ['From 10:00–14:00. Or 5:30-6:30.', "From ten o'clock to fourteen hundred. Or five thirty to six thirty."],
    ['03/2027, 2010—2015', 'March twenty twenty-seven, twenty ten to twenty fifteen'],
    ['16:00 (UTC+01:00), UTC+05:30, GMT-5', 'sixteen hundred (UTC plus one), UTC plus five thirty, GMT minus five'],
    ['2026-11-27T10:30:00+02:00', 'November twenty-seventh, twenty twenty-six at ten thirty UTC plus two'],
  ],
  // daisy/MathCAT 530, nvdajp/nvdajp 196 and 205
  'numbers in circles, and Roman ones that are one character': [
    ['⓪ to ⑳, ⓫ to ⓴, ㉑ to ㊿, ⓵, ⓿', ' zero to twenty, eleven to twenty, twenty-one to fifty, one, zero '],
    ['ⅳ, Ⅻ, Henry Ⅷ', 'four, twelve, Henry the eighth'],
  ],
  // DenverCoder1/unicode-formatter 5, espeak-ng/espeak-ng 1933, stipub/stixfonts 229, nvaccess/nvda 15890
  'marks over, under and through characters': [
    ['$1\u03360\u03360\u0336, now $8\u03320\u0332, cafe\u0301', 'one hundred dollars, now eighty dollars, café'],
    ['1ˢᵗ, 2ⁿᵈ, nᵗʰ', 'first, second, nth'],
  ],
  // hexgrad/kokoro 108
  'amounts that describe a noun, and years before 1500': [
    [
      'A 10m (32ft) passageway, a 40cm gap, a 5 GB file, a 5 GB of data, a 6-km run',
      'A ten meter (thirty-two feet) passageway, a forty centimeter gap, a five gigabyte file, a five gigabytes of data, a six kilometer run',
    ],
    [
      'a $50 bill, a $2.50 snack, an €8 million deal, a $5 to $10 range',
      'a fifty dollar bill, a two dollar and fifty cent snack, an eight million euro deal, a five dollars to ten dollars range',
    ],
    [
      'from about 1493 to 1479 BC, 1066 AD, AD 1066, 79 CE',
      'from about fourteen ninety-three to fourteen seventy-nine BC, ten sixty-six AD, AD ten sixty-six, seventy-nine CE',
    ],
  ],
  // musescore/MuseScore 12898 and 26779
  'signs of notes': [['F♯ major, B♭7, C♮ minor', 'F sharp major, B flat seven, C natural minor']],
  // microsoft/EmbeddedSocial-Android-SDK 25
  'letters for a time': [
    ['25w ago, 1y ago, 4mo ago, 1d 4h', 'twenty-five weeks ago, one year ago, four months ago, one day four hours'],
    ['a 5yo, 30 y/o', 'a five year old, thirty year old'],
  ],
  // w3c/pronunciation 66
  'formulas with a number before': [['6CO2 + 6H2O, 2NaOH, 3D, 8B', 'six CO2 plus six H2O, two NaOH, 3D, 8B']],
  // CovidTrackerFr/vitemadose-ios 132, espeak-ng/espeak-ng 1812
  'more numbers of other countries': [
    ['91 014 doses, gate 12 345', 'ninety-one thousand fourteen doses, gate twelve three hundred forty-five'],
    [
      "1.234.444,245 and 1'234'444.245",
      'one million two hundred thirty-four thousand four hundred forty-four point two four five and one million two hundred thirty-four thousand four hundred forty-four point two four five',
    ],
    ['030/1234567', 'zero three zero, one two three four five six seven'],
  ],
  'amounts as they are written in Europe': [
    ['CHF 20.–, EUR 15,-, €9.-, 20,- kr', 'twenty Swiss francs, fifteen euros, nine euros, twenty kroner'],
    ['€3 Mio, €1.2 Mrd', 'three million euros, one point two billion euros'],
  ],
  'a version with a v': [
    ['Version v2.0.1, v3, version v2', 'Version two point zero point one, version three, version two'],
    // rudra496/StealthHumanizer 77
    ['Llama 3.x, v2.x, 1.2.x', 'Llama three point x, version two point x, one point two point x'],
  ],
  'x behind a number': [['x² + 2x − 3 = 0, y = 3x', 'x squared plus two x minus three equals zero, y equals three x']],
  // remsky/Kokoro-FastAPI 303, 526 and its tests, xujialiu/Zotero-TTS 86, tests of gruut and of Coqui TTS
  'addresses of the own machine': [
    [
      'localhost:7860, localhost:8080/api?v=1, 0.0.0.0:9090/test, localhost',
      'localhost colon seven eight six zero, localhost colon eight zero eight zero slash api question mark v equals one, zero dot zero dot zero dot zero colon nine zero nine zero slash test, localhost',
    ],
  ],
  'temperatures without a sign': [
    [
      'It is 72 F, a low of 55F. Heat the oven to 180C. Seat 12C.',
      'It is seventy-two degrees Fahrenheit, a low of fifty-five degrees Fahrenheit. Heat the oven to one hundred eighty degrees Celsius. Seat 12C.',
    ],
  ],
  'words without a space, or in brackets': [
    [
      'Worth $1.5million, THE 1980S, your friend(s), tea @ home, 3.7 ×3.7 mm',
      'Worth one point five million dollars, THE nineteen eighties, your friends, tea at home, three point seven by three point seven millimeters',
    ],
  ],
  'Dr. without a name': [['Yes, Dr., on Mulholland Dr., at noon.', 'Yes, Doctor, on Mulholland Drive, at noon.']],
  'times with too much': [['00:00 am, 14:30 PM, 13 pm', 'twelve AM, fourteen thirty PM, thirteen PM']],
  'abbreviations of courts, of soldiers and of days': [
    [
      'Smith v. Jones (9th Cir. 1997), Pvt. Ryan, tbl. 2, M-F 9-5',
      'Smith versus Jones (ninth Circuit nineteen ninety-seven), Private Ryan, table two, Monday to Friday nine to five',
    ],
  ],
  'numbers that end in a letter, and spans of them': [
    [
      '10x-15x, 70K, 7tn, 12x9x4 in., 1080x1920',
      'ten to fifteen times, seventy thousand, seven trillion, twelve by nine by four inches, one thousand eighty by nineteen twenty',
    ],
    ['a V8, v2, -10°C – -5°C', 'a V8, version two, minus ten degrees Celsius to minus five degrees Celsius'],
  ],
  'short years and names of days': [
    [
      "Class of '05, the '68 Comeback, post-9/11, 6/8 time",
      'Class of oh five, the sixty-eight Comeback, post-nine eleven, six eight time',
    ],
  ],
  'dates without a year': [
    [
      'Mon 11/25, due 12/15, on 7/4, on 1/2 of them, Fri., 3/4',
      'Monday, November twenty-fifth, due December fifteenth, on July fourth, on one half of them, Friday, March fourth',
    ],
  ],
  'units and codes of science and trade': [
    [
      '5.97×10^24 kg, 10⁻⁹ m, $82.50/bbl, 7.5×10³/µL, 140 mEq/L, 400 IU',
      'five point nine seven times ten to the twenty-fourth kilograms, ten to the minus nine meters, eighty-two dollars and fifty cents per barrel, seven point five times ten cubed per microliter, one hundred forty milliequivalents per liter, four hundred international units',
    ],
    [
      'Invoice #2024-0015, 5 y.o. boys, b/c he is',
      'Invoice number two zero two four, zero zero one five, five year old boys, because he is',
    ],
  ],
  // mapbox/mapbox-navigation-ios 98, martincostello/alexa-london-travel 26
  'roads, and where they lead': [
    [
      'I-280 n/b, US-101, Route 128, Highway 100',
      'I-two eighty northbound, US-one oh one, Route one twenty-eight, Highway one hundred',
    ],
  ],
  'keys and extensions of a telephone': [
    [
      'Dial *67 or #31#, press 1# or 2. 555-0100 x12, card ending 4242',
      'Dial star six seven or pound three one pound, press one pound or two. five five five, zero one zero zero, extension twelve, card ending four two four two',
    ],
  ],
  'quarters of a town': [
    [
      '16 Pennsylvania Ave. NW, Washington, D.C. 20500, 5th St SE',
      'sixteen Pennsylvania Avenue Northwest, Washington, D.C. two zero five zero zero, fifth Street Southeast',
    ],
  ],
  'slashes and signs that mean something else': [
    [
      '4g/24h, (1+√5)/2, 3/$10, 98.6 degrees F, 500k USD',
      'four grams per twenty-four hours, (one plus square root of five) divided by two, three for ten dollars, ninety-eight point six degrees Fahrenheit, five hundred thousand US dollars',
    ],
    ["Qur'an 2:255", "Qur'an two two hundred fifty-five"],
  ],
  // revolab/revo-norm's tests
  'money of Malaysia, Indonesia, Poland and Czechia': [
    [
      'RM50.50, RM1,500, Rp 50,000, 20 zł, 50 Kč',
      'fifty ringgit and fifty sen, one thousand five hundred ringgit, fifty thousand rupiah, twenty zlotys, fifty korunas',
    ],
  ],
  // davisd/python-scriptures 4
  'verses of abbreviated books, or in capitals': [
    ['Ps 23:1, Gen 1:1', 'Psalm twenty-three one, Genesis one one'],
    ['1 JOHN 3:8, 1 Cor. 13:4', 'first JOHN three eight, first Corinthians thirteen four'],
  ],
  // NousResearch/hermes-agent 111614, cds-snc/platform-forms-client 328, ethereum/ethereum-org-website 7736
  'identifiers of machines': [
    [
      '58:E6:C5:13:8C:30, 7bf47025-6f27-48fb-bf80-7110027f9417',
      'five eight, E six, C five, one three, eight C, three zero, seven b f four seven zero two five, six f two seven, four eight f b, b f eight zero, seven one one zero zero two seven f nine four one seven',
    ],
    [
      '0x00000000219ab540356c',
      'zero x zero zero zero zero zero zero zero zero two one nine a b five four zero three five six c',
    ],
    // mitchib1440/SpeakThat 147
    ['The code "276983"', 'The code "two seven six nine eight three"'],
    // USDepartmentofLabor/OCIO-DOLSafety-Android 43
    ['Incident #: 5, order #A1', 'Incident number: five, order number A1'],
  ],
  // davisd/python-scriptures 4
  'places in the Bible': [
    [
      '1 Cor. 13:4–7, 1 John 3:8, Gen. 1:1, Ps. 23:1, Gen. 5 people, ask Tim 3:30',
      'first Corinthians thirteen four to seven, first John three eight, Genesis one one, Psalm twenty-three one, Gen. five people, ask Tim three thirty',
    ],
  ],
  // ClutchEngineering/Pelican 320
  'more kinds of streets': [
    ['12 Elm Crt, 5 Oak Cres, 7 Oak Pl', 'twelve Elm Court, five Oak Crescent, seven Oak Place'],
  ],
  // Speech-Rule-Engine/speech-rule-engine 364
  'cubic and square measures': [
    [
      '3 cu. in. of it, 1 cu. yd., 7/8 in. wide, 1/4", 3/8"',
      'three cubic inches of it, one cubic yard, seven eighths inch wide, one quarter inch, three eighths inch',
    ],
  ],
  // damus-io/damus 982, greenpeace/planet4 71
  'hashtags of several words': [['#ClimateChange, #a11y', 'hashtag Climate Change, hashtag a11y']],
  'a variable before its power': [
    ['2x² + 3x − 5 = 0, 4x³', 'two x squared plus three x minus five equals zero, four x cubed'],
  ],
  'names of companies in the genitive': [
    ["Acme Corp.'s shares, Apple Inc.'s", "Acme Corporation's shares, Apple Incorporated's"],
  ],
  // ringcentral/hubspot-embeddable-ringcentral-phone 212
  'extensions after a telephone number': [
    [
      '555-0100 ext. 12, 555-867-5309, ext 7, 555.555.5555 x 9',
      'five five five, zero one zero zero, extension twelve, five five five, eight six seven, five three zero nine, extension seven, five five five, five five five, five five five five, extension nine',
    ],
  ],
  'numbers of books and of magazines': [
    [
      'ISBN-13: 978-0306406157, ISSN 2041-1723, ISSN 1234-567X',
      'ISBN thirteen: nine seven eight, zero three zero six four zero six one five seven, ISSN two zero four one, one seven two three, ISSN one two three four, five six seven X',
    ],
  ],
  // FluidInference/text-processing-rs 39
  'amounts as news agencies abbreviate them': [
    ['$3.5 trn, €20 mln, $5bln', 'three point five trillion dollars, twenty million euros, five billion dollars'],
  ],
  'plurals of labels, and Rt.': [
    [
      'Eqs. 1-3, vols. 2 and 3, chs. 4–6, Rt. 66',
      'Equations one to three, volumes two and three, chapters four to six, Route sixty-six',
    ],
  ],
  // birchill/10ten-ja-reader 1389 and 1399
  'numbers counted in ten thousands': [
    [
      '¥5万, 39,800万円, 1.5億 or 1億2000万, 3万5000, 5千万, 2万5,000',
      'fifty thousand yen, three hundred ninety-eight million yen, one hundred fifty million or one hundred twenty million, thirty-five thousand, fifty million, twenty-five thousand',
    ],
  ],
  // daniel3303/Equibles 3151
  'a code before the sign of a currency': [
    [
      'USD$50, CAD $20.50, EUR €5-€10, US $7.50, in the US $9',
      'fifty US dollars, twenty Canadian dollars and fifty cents, five to ten euros, seven US dollars and fifty cents, in the US nine dollars',
    ],
  ],
  'a decimal comma before a million': [
    ['1,5 million, 2,75 billion euros', 'one point five million, two point seven five billion euros'],
  ],
  // vicinaehq/numen 12, tc39/proposal-intl-duration-format 111
  'minutes and seconds with the signs of feet and inches': [
    [
      'It took 2\'30" or 1′45″. He is 5\'11".',
      'It took two minutes thirty seconds or one minute forty-five seconds. He is five feet eleven inches.',
    ],
  ],
  'ranges of heights': [
    [
      '5\'6"–5\'8", 4\'10"-6\'2"',
      'five feet six inches to five feet eight inches, four feet ten inches to six feet two inches',
    ],
  ],
  'apertures without a slash': [['a lens of f1.8, f2.8', 'a lens of f one point eight, f two point eight']],
  'intervals of prescriptions': [
    ['Take it q6h, q4-6h, q 12 hrs', 'Take it every six hours, every four to six hours, every twelve hours'],
  ],
  'parts of a hundred with a hyphen': [
    [
      'the 80-20 rule, a 70–30 split, 80-20 people, a 10-20 split',
      'the eighty twenty rule, a seventy thirty split, eighty to twenty people, a ten to twenty split',
    ],
  ],
  'numbers of cells in a liter': [
    [
      '4.5 × 10^9/L, 5×10⁹/L',
      'four point five times ten to the ninth per liter, five times ten to the ninth per liter',
    ],
  ],
  'opening hours with one letter': [
    ['Open 8a-5p, 8:30a – 12p', 'Open eight AM to five PM, eight thirty AM to twelve PM'],
  ],
  'times in logs': [
    [
      '2024-11-05 14:30:00 or 2024-11-05 14:30:15,123 done',
      'November fifth, twenty twenty-four at fourteen thirty or November fifth, twenty twenty-four at fourteen thirty and fifteen seconds done',
    ],
  ],
  'weeks of ISO 8601': [
    ['2024-W05, 2024-W05-3', 'week five of twenty twenty-four, day three of week five of twenty twenty-four'],
  ],
  'times of aviation': [['0500 hrs, 1400Z, 05:30Z', 'oh five hundred hours, fourteen hundred UTC, five thirty UTC']],
  // wenet-e2e/WeTextProcessing 361
  'parts of financial years': [
    [
      '3Q 2023, 4Q09, 1H24, 1H30, 2H 2025, FY23/24, FY2024/25, 2H 20 m',
      'the third quarter of twenty twenty-three, the fourth quarter of zero nine, the first half of twenty-four, 1H30, the second half of twenty twenty-five, FY twenty-three twenty-four, FY twenty twenty-four twenty-five, 2H twenty meters',
    ],
  ],
  'dates without signs': [
    [
      'on 20241105, a code 20241105, $20241105',
      'on November fifth, twenty twenty-four, a code two zero two four one one zero five, twenty million two hundred forty-one thousand one hundred five dollars',
    ],
  ],
  'years of a life': [
    [
      'Ann (b. 5 May 1950, d. 2010), William I (r. 1066–1087), Theon (fl. c. 405)',
      'Ann (born fifth of May nineteen fifty, died twenty ten), William I (reigned ten sixty-six to ten eighty-seven), Theon (flourished c. four hundred five)',
    ],
  ],
  'centuries in Roman numerals': [
    [
      'the XIX century, XV–XVI centuries, V and VI centuries',
      'the nineteenth century, fifteenth to sixteenth centuries, fifth and sixth centuries',
    ],
  ],
  // home-assistant/core 156122
  'temperatures with a decimal and without a sign': [
    [
      'a temp of 21.5C, a fever of 38.5 C, it is 98.6F',
      'a temp of twenty-one point five degrees Celsius, a fever of thirty-eight point five degrees Celsius, it is ninety-eight point six degrees Fahrenheit',
    ],
  ],
  'more amounts of India': [
    [
      '500 Rs. only, ₹5L, Rs 10 lacs, 12.5lac',
      'five hundred rupees only, five lakh rupees, ten lakh rupees, twelve point five lakh',
    ],
  ],
  'percentage points': [
    [
      'up 3pp, fell 1 pp, 0.5 pp, +2 p.p. in May, a 32 pp booklet',
      'up three percentage points, fell one percentage point, zero point five percentage points, plus two percentage points in May, a thirty-two pp booklet',
    ],
  ],
  'more abbreviations with a slash': [['Ann Hu, c/o Bo Li', 'Ann Hu, care of Bo Li']],
  'more units': [['500 kb, 5 Pa·s', 'five hundred kilobytes, five pascal seconds']],
  'more abbreviations in any position': [
    ['one, viz. this, the loss w.r.t. W', 'one, namely this, the loss with respect to W'],
  ],
  'ends of DNA': [["the 3' UTR, 5′-ATGC-3′ primer", 'the three prime UTR, five prime ATGC three prime primer']],
  'ranges of dates with full stops or eras': [
    [
      '10.10.2020–12.10.2020, 300 BCE–200 CE',
      'tenth of October twenty twenty to twelfth of October twenty twenty, three hundred BCE to two hundred CE',
    ],
  ],
  'short years anywhere': [
    ["my '05 Civic, '99–'03, Summer '69", 'my oh five Civic, ninety-nine to oh three, Summer sixty-nine'],
  ],
  'days with slashes': [['Mon/Wed/Fri 9am, Tues/Thurs', 'Monday, Wednesday, Friday nine AM, Tuesday, Thursday']],
  'abbreviated spans of several units': [
    [
      '3 yrs. 4 mos. later, 2 wks. 3 days, 6 mo. old',
      'three years four months later, two weeks three days, six months old',
    ],
  ],
  'abbreviated centuries': [
    [
      'a 12th c. church, 3rd c. BC, the 5th c. Then',
      'a twelfth century church, third century BC, the fifth century. Then',
    ],
  ],
  'millions with a small letter': [
    [
      '100m people, 2.5m tonnes, a 100m pool',
      'one hundred million people, two point five million tonnes, a one hundred meter pool',
    ],
  ],
  'addresses of IPv6': [
    [
      '2001:db8::1 and ::1, 1:2:3',
      'two zero zero one colon d b eight colon colon one and colon colon one, one to two to three',
    ],
  ],
  'times of soldiers after noon': [
    [
      'at 1430 hours, by 2205 hrs, until 1500 hours, 1430 hours',
      'at fourteen thirty hours, by twenty-two oh five hours, until fifteen hundred hours, one thousand four hundred thirty hours',
    ],
  ],
  'abbreviations at the beginning of a sentence': [
    [
      'Approx. 5 kg, Avg. 3, Incl. tax, Cf. page 5, E.g. this',
      'Approximately five kilograms, Average three, Including tax, Compare page five, For example this',
    ],
  ],
  'abbreviations of goods and of offices': [
    [
      'Qty. 5, tel. 555-0100, misc. items, asst. mgr. here, $4 ea., Ohio Univ. Then',
      'Quantity five, telephone five five five, zero one zero zero, miscellaneous items, assistant manager here, four dollars each, Ohio University. Then',
    ],
    [
      'Supt. Hu, Atty. Gen. Bo, Assoc. Prof. Hu, Asst. Prof. Bo, Fr. John, Mme. Curie, Brig. Gen. Hu, a Sr. VP',
      'Superintendent Hu, Attorney General Bo, Associate Professor Hu, Assistant Professor Bo, Father John, Madame Curie, Brigadier General Hu, a Senior VP',
    ],
    [
      'Rm. 5, Fl. 3, Est. 1985 in Rome, est. $5M, est. 1950 people',
      'Room five, Floor three, Established nineteen eighty-five in Rome, estimated five million dollars, estimated nineteen fifty people',
    ],
  ],
  'points of the compass before regions': [
    ['S. Korea, N. Americans, W. Virginia, S. Smith', 'South Korea, North Americans, West Virginia, S. Smith'],
  ],
  'changes over a time': [
    [
      'up 5% y/y, 3% q/q and 12% YoY, MoM',
      'up five percent year over year, three percent quarter over quarter and twelve percent year over year, month over month',
    ],
  ],
  'powers in braces': [['x^{2} + 10^{-3} = e^{x}', 'x squared plus ten to the minus three equals e to the x']],
  'chains of comparisons': [
    [
      '0<x<1, 0<i<n, -1 < y < 1',
      'zero is less than x is less than one, zero is less than i is less than n, minus one is less than y is less than one',
    ],
  ],
  'heights without a space, and threads of screws': [
    ['He is 6ft2, 50ft2, an M8x1.25 bolt', 'He is six feet two, fifty square feet, an M8 by one point two five bolt'],
  ],
  'abbreviated versions, and triangles': [
    ['ver. 3.1, Rev. 2, △ABC', 'version three point one, Revision two, triangle ABC'],
  ],
  // FluidInference/text-processing-rs 48
  'ranges of millions in words': [
    [
      '$5 million-$10 million, 5 million – 10 million people, ₹10 lakh-₹20 lakh',
      'five million dollars to ten million dollars, five million to ten million people, ten lakh rupees to twenty lakh rupees',
    ],
  ],
  // FluidInference/text-processing-rs 48
  'ranges of units in words': [
    [
      '5 minutes–10 minutes, 5 percent-10 percent, #3–#5, −5–+5',
      'five minutes to ten minutes, five percent to ten percent, number three to number five, minus five to plus five',
    ],
  ],
  'versions before a release': [
    [
      'v2.0.0-rc1, 1.0.0-beta.1, Python 3.11rc2, 5.1-alpha',
      'version two point zero point zero RC one, one point zero point zero beta one, Python three point one one RC two, five point one alpha',
    ],
  ],
  'times with a capital X, and 24x7': [
    ['1.5X as fast, 2X-3X, open 24x7', 'one point five times as fast, two to three times, open twenty-four seven'],
  ],
  'pairs of days, and opening hours before days': [
    [
      'Sat. & Sun. only, Tues and Thurs, 9-5 M-F. In the Sun and air',
      'Saturday and Sunday only, Tuesday and Thursday, nine to five Monday to Friday. In the Sun and air',
    ],
  ],
  'works of composers': [['Op. 27 No. 2, Op. 9, No. 2', 'Opus twenty-seven Number two, Opus nine, Number two']],
};
