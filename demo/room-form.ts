import { requiredElement } from './required-element.js';
import { getRoomToken } from './room-token.js';

/** Connects the form that requests a room token, and shows the token's claims or the error. */
export function connectRoomForm(): void {
  const form = requiredElement('room', HTMLFormElement);
  const name = requiredElement('room-user', HTMLInputElement);
  const button = requiredElement('room-get', HTMLButtonElement);
  const claims = requiredElement('room-claims', HTMLDListElement);
  const remark = requiredElement('room-remark', HTMLElement);

  const showClaims = (entries: readonly (readonly [term: string, value: string])[]): void => {
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
  const requestToken = async (): Promise<void> => {
    button.disabled = true;
    try {
      const { room, identity, expiresAt } = await getRoomToken(name.value.trim());
      const until = expiresAt.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
      const minutes = Math.round((expiresAt.getTime() - Date.now()) / 60_000);
      showClaims([
        ['room', room],
        ['identity', identity],
        ['good until', `${until}, for ${minutes} minutes`],
      ]);
      remark.dataset.tone = 'plain';
      remark.textContent = 'The token is valid for one room.';
    } catch (error) {
      showClaims([]);
      remark.dataset.tone = 'trouble';
      remark.textContent = `No token: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      button.disabled = false;
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void requestToken();
  });
  button.disabled = false;
}
