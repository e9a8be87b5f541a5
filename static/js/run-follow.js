// Follows a run: by a WebSocket, or by asking now and then where there is none.

/**
 * What the console says of a run (web/feed.go).
 * @typedef {object} Message
 * @property {number} seq
 * @property {'snapshot' | 'delta' | 'state' | 'end'} type
 * @property {{outcome: string}} run
 * @property {number} ahead
 * @property {number} iteration
 * @property {number} counted iterations that have ended, without the warm-ups
 * @property {number} elapsed_s
 * @property {number} quiet_s
 * @property {import('./run-state.js').Row[]} events
 */

const patience = [500, 1000, 2000, 5000];

/**
 * @param {string} socket path of the WebSocket
 * @param {string} poll path of its twin
 * @param {{message: (m: Message) => void, ended: () => void, lost: () => void}} to ended comes after
 *   the last message, when the line is closed
 */
export function follow(socket, poll, to) {
  let seq = 0;
  let failed = 0;
  let ended = false;

  const take = (/** @type {Message} */ message) => {
    failed = 0;
    seq = message.seq;
    ended = message.type === 'end';
    to.message(message);
  };
  const again = (next) => {
    const wait = patience[Math.min(failed, patience.length - 1)];
    if (failed > 0) to.lost();
    failed++;
    setTimeout(next, wait);
  };
  const listen = () => {
    const open = new WebSocket(new URL(`${socket}?since=${seq}`, location.href.replace(/^http/, 'ws')));
    let heard = false;
    open.addEventListener('message', (event) => {
      heard = true;
      take(JSON.parse(event.data));
      if (ended) open.close(1000);
    });
    open.addEventListener('close', () => {
      if (ended) to.ended();
      else again(heard || failed < 2 ? listen : ask);
    });
  };
  // Where WebSockets do not come through.
  const ask = async () => {
    try {
      const answer = await fetch(`${poll}?since=${seq}`);
      if (!answer.ok) throw new Error(String(answer.status));
      take(await answer.json());
      if (ended) to.ended();
      else setTimeout(ask, 500);
    } catch {
      again(ask);
    }
  };
  listen();
}
