import { Room, Track } from 'livekit-client';
import type { SvcSpeakerElement } from 'svc-speaker';

/** Joins a room, and lets everyone in it hear the speaker. */
export async function publish(speaker: SvcSpeakerElement, serverUrl: string, token: string): Promise<Room> {
  const room = new Room();
  await room.connect(serverUrl, token);
  const [track] = speaker.captureStream().getAudioTracks();
  if (track) await room.localParticipant.publishTrack(track, { source: Track.Source.Microphone, dtx: false });
  return room;
}
