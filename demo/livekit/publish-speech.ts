import { Room, RoomEvent, Track } from 'livekit-client';
import type { SvcSpeakerElement } from 'svc-speaker';
import { getRoomToken } from '../room-token.js';

/** Speech that a room hears. */
export interface Published {
  readonly room: string;
  /** Who speaks there. */
  readonly identity: string;
  /** Takes the speech out of the room. */
  leave(): Promise<void>;
}

/**
 * Publishes what is heard of a speaker into a LiveKit room, with a token from the page's own backend.
 *
 * @param url - Of the LiveKit server.
 * @param onGone - Called if the room ends by itself.
 * @throws {Error} If there is no token, or no room; the message says why.
 */
export async function publishSpeech(
  speaker: SvcSpeakerElement,
  url: string,
  avatarId: string,
  onGone: () => void,
): Promise<Published> {
  const { token, room: name } = await getRoomToken(avatarId, '');
  const room = new Room();
  try {
    await room.connect(url, token);
    const [track] = speaker.captureStream().getAudioTracks();
    // It is speech already: nothing is to be taken for silence, and the device has no microphone to stop.
    await room.localParticipant.publishTrack(track!, { name: 'speech', source: Track.Source.Microphone, dtx: false });
  } catch (error) {
    await room.disconnect();
    throw error;
  }
  room.once(RoomEvent.Disconnected, onGone);
  return {
    room: name,
    identity: room.localParticipant.identity,
    leave: async () => {
      room.off(RoomEvent.Disconnected, onGone);
      await room.disconnect();
    },
  };
}
