import { Room, RoomEvent, Track } from 'livekit-client';
import type { SvcSpeakerElement } from 'svc-speaker';
import { getRoomToken } from '../../room-token.js';

/** Speech published in a room. */
export interface Published {
  readonly room: string;
  /** Identity of the participant. */
  readonly identity: string;
  /** Unpublishes the speech and disconnects. */
  leave(): Promise<void>;
}

/**
 * Publishes the output of a speaker in a LiveKit room, with a token from the page's backend.
 *
 * @param url - URL of the LiveKit server.
 * @param disconnected - Called if the connection ends without `leave()`.
 * @throws {Error} If the backend gives no token, or the server cannot be reached.
 */
export async function publishSpeech(
  speaker: SvcSpeakerElement,
  url: string,
  disconnected: () => void,
): Promise<Published> {
  const { token, room: name } = await getRoomToken('');
  const room = new Room();
  try {
    await room.connect(url, token);
    const [track] = speaker.captureStream().getAudioTracks();
    // Without `dtx`, which would drop quiet passages.
    await room.localParticipant.publishTrack(track!, { name: 'speech', source: Track.Source.Microphone, dtx: false });
  } catch (error) {
    await room.disconnect();
    throw error;
  }
  room.once(RoomEvent.Disconnected, disconnected);
  return {
    room: name,
    identity: room.localParticipant.identity,
    leave: async () => {
      room.off(RoomEvent.Disconnected, disconnected);
      await room.disconnect();
    },
  };
}
