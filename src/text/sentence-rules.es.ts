import { type SentenceRules, words } from './sentence-rules.js';

export const rules: SentenceRules = {
  titles: words(
    'sr sra srta sres sras dr dra drs prof profa d dña fr sto sta lic ldo lda ing excmo excma ilmo ilma rvdo mons ' +
      'p.ej ej cf cfr vs núm nº aprox fig pág págs art cap vol tel lcdo lcda mag cmdte cnel nro nros transv diag urb mz lt asent Profe gral pbro hno hna hnos gob pdte pdta tte sgto mtro mtra Ma Sen Dip Pres Col alm abg fco nta edif fracc p.s n.b',
  ),
  abbreviations: words(
    'no cra ext párr párrf ene feb abr jun jul ago sep sept oct nov dic lun mié jue vie sáb dom av avda c cía ltda s.a inc etc p pp ' +
      'ed dpto depto prov a.c d.c ee.uu ee uu ff aa ud uds vd vds arq máx mín jr sr a.m p.m',
  ),
  starters: words(
    'yo tú él ella ello nosotros vosotros ellos ellas usted ustedes el la los las un una unos unas este esta estos estas ' +
      'ese esa esos esas esto eso aquel mi mis tu tus su sus nuestro nuestra qué quién cuándo dónde cómo cuál cuánto por ' +
      'si pero y e o u ni porque aunque cuando después luego entonces ahora también además sin aquí allí hoy ayer mañana ' +
      'es son está están era eran hay fue en a al con para de del desde sobre no sí todos todas cada muchos algunos otro otra',
  ),
  hasOrdinals: false,
  numbered: /^(?:mar|set|max|min|dto|apdo|esc|pta|hab|km)$/,
};
