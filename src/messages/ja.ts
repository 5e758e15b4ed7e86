/**
 * Japanese messages for the `messages` property of `<svc-speaker>`.
 *
 * @packageDocumentation
 */
import type { SpeakerMessages } from './speaker-messages.js';

/** Japanese labels and messages of the controls. */
const messages: SpeakerMessages = {
  lang: 'ja',
  playLabel: '再生',
  pauseLabel: '一時停止',
  replayLabel: 'もう一度再生',
  retryLabel: '再試行',
  volumeLabel: '音量',
  progressLabel: '再生位置',
  progressValue: '{duration}中 {time}',
  speedLabel: '再生速度',
  downloadLabel: 'ダウンロード',
  downloadCaptionsLabel: '字幕をダウンロード',
  previousLabel: '前の文',
  nextLabel: '次の文',
  timeLeft: '残り {time}',
  readyStatus: '準備完了',
  connectingStatus: '接続中…',
  bufferingStatus: '読み込み中…',
  speakingStatus: '再生中',
  pausedStatus: '一時停止中',
  blockedStatus: '再生を押してください',
  errorStatus: '再生できませんでした',
  interruptedStatus: '中断されました',
  silentStatus: '読み上げる内容がありません',
  loadError: '音声を読み込めませんでした。もう一度お試しください。',
  networkError: '音声を読み込めませんでした。接続を確認して、もう一度お試しください。',
  busyError: '音声サービスが混み合っています。しばらく待ってから、もう一度お試しください。',
  signInError: '音声を聞くにはログインしてください。',
  accessError: 'この音声へのアクセス権がありません。',
  unplayableError: 'この音声は再生できません。',
  interruptedError: '音声が中断されました。もう一度お試しください。',
  soundError: '音を出せませんでした。オーディオ機器を確認して、ページを再読み込みしてください。',
  fileName: '音声',
};

export default messages;
