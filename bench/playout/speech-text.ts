/** About a minute of speech: questions, numbers, names, long and short sentences, every kind of consonant. */
export const SENTENCES: readonly string[] = [
  'Good morning. You asked me to read the news of the day, so here it is.',
  'The ferry across the strait was late by forty minutes, because fog had settled over both of the harbours.',
  'Six thick thistle sticks stood in the shade; she sells sea shells, and he chose fresh fish for supper.',
  'What would you do if the last train had already left?',
  'Please turn left at the second crossing, follow the river for about three kilometres, and then keep right.',
  'Our measurements show that pressure falls by eleven percent for every thousand metres of height.',
  'Yes. No. Perhaps.',
  'My uncle, who never hurries, walked slowly along the narrow lane, humming a melody that nobody else knew.',
  'Doctor Jameson will see you on the seventeenth of June, at a quarter past nine.',
  'Pack both big boxes back to back, put the kettle on top, and keep the papers dry.',
  'Although the committee had promised an answer within a week, weeks went by without so much as a word.',
  'How wonderful! We all know where you are and when you will arrive.',
  'The zoo keeper gave the zebra a measure of barley, and the giraffe a whole bundle of branches.',
  'Wait, there is one thing more: the code is four, zero, eight, double seven.',
  'In the evening the wind turned to the north, the sky cleared, and for the first time that year we saw the stars.',
];
