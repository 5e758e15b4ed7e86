/**
 * Arabic messages for the `messages` property of `<svc-speaker>`.
 *
 * @packageDocumentation
 */
import type { SpeakerMessages } from './speaker-messages.js';

/** Arabic labels and messages of the controls. */
const messages: SpeakerMessages = {
  lang: 'ar',
  playLabel: 'تشغيل',
  pauseLabel: 'إيقاف مؤقت',
  replayLabel: 'تشغيل مرة أخرى',
  retryLabel: 'إعادة المحاولة',
  volumeLabel: 'مستوى الصوت',
  progressLabel: 'موضع التشغيل',
  progressValue: 'الوقت: {time}، المدة: {duration}',
  speedLabel: 'السرعة',
  downloadLabel: 'تنزيل',
  downloadCaptionsLabel: 'تنزيل الترجمة النصية',
  previousLabel: 'الجملة السابقة',
  nextLabel: 'الجملة التالية',
  timeLeft: 'بقي {time}',
  readyStatus: 'جاهز',
  connectingStatus: 'جارٍ الاتصال…',
  bufferingStatus: 'جارٍ التحميل…',
  speakingStatus: 'جارٍ التحدث',
  pausedStatus: 'متوقف مؤقتًا',
  blockedStatus: 'اضغط على تشغيل',
  errorStatus: 'تعذّر التشغيل',
  interruptedStatus: 'انقطع التشغيل',
  silentStatus: 'لا يوجد ما يُقال',
  loadError: 'تعذّر تحميل المقطع الصوتي. حاول مرة أخرى.',
  networkError: 'تعذّر تحميل المقطع الصوتي. تحقق من اتصالك وحاول مرة أخرى.',
  busyError: 'الخدمة الصوتية مشغولة. انتظر قليلًا ثم حاول مرة أخرى.',
  signInError: 'سجّل الدخول للاستماع إلى المقطع الصوتي.',
  accessError: 'ليس لديك إذن للوصول إلى هذا المقطع الصوتي.',
  unplayableError: 'لا يمكن تشغيل هذا المقطع الصوتي.',
  interruptedError: 'انقطع المقطع الصوتي. حاول مرة أخرى.',
  soundError: 'تعذّر تشغيل الصوت. تحقق من جهاز الصوت ثم أعد تحميل الصفحة.',
  fileName: 'مقطع صوتي',
};

export default messages;
