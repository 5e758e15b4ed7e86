import { requiredElement } from './required-element.js';
import { getRoomToken } from './room-token.js';

/** The avatar of the room; `svc-service` comes with one of this id. */
const AVATAR_ID = 'demo';

/** Wires the form that asks for a room token, and shows what the token says, or why there is none. */
export function connectRoomForm(): void {
  const form = requiredElement('room', HTMLFormElement);
  const name = requiredElement('room-user', HTMLInputElement);
  const button = requiredElement('room-get', HTMLButtonElement);
  const claims = requiredElement('room-claims', HTMLDListElement);
  const remark = requiredElement('room-remark', HTMLElement);

  const say = (text: string): void => {
    remark.textContent = text;
  };
  const show = (entries: readonly (readonly [term: string, value: string])[]): void => {
    claims.replaceChildren(
      ...entries.map(([term, value]) => {
        const [entry, dt, dd] = ['div', 'dt', 'dd'].map((tag) => document.createElement(tag));
        dt!.textContent = term;
        dd!.textContent = value;
        entry!.append(dt!, dd!);
        return entry!;
      }),
    );
    claims.hidden = entries.length === 0;
  };
  const get = async (): Promise<void> => {
    button.disabled = true;
    try {
      const { room, identity, expiresAt } = await getRoomToken(AVATAR_ID, name.value.trim());
      const until = expiresAt.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
      const minutes = Math.round((expiresAt.getTime() - Date.now()) / 60_000);
      show([
        ['room', room],
        ['identity', identity],
        ['good until', `${until}, for ${minutes} minutes`],
      ]);
      say('A token was given, good for one room.');
    } catch (error) {
      show([]);
      say(`No token: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      button.disabled = false;
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void get();
  });
  button.disabled = false;
}
