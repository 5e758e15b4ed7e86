/** Containers of compressed audio. */
export type Container = 'mp3' | 'adts' | 'ogg' | 'webm';

const CONTAINERS: Readonly<Record<string, Container>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/aac': 'adts',
  'audio/aacp': 'adts',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/webm': 'webm',
  'video/webm': 'webm',
};

/** Returns the container that a Content-Type names; undefined if the type is unknown or not compressed. */
export function containerOf(contentType: string): Container | undefined {
  return CONTAINERS[contentType.split(';')[0]!.trim().toLowerCase()];
}
