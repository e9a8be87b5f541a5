// What leaves a lesson follows the step that is shown. The player keeps the
// links true; here it is the code of a frame, the QR code and its words.
import { atStep } from './player_steps.js';

/**
 * @param {HTMLElement} panel
 */
export function installTake(panel) {
  const code = panel.querySelector('[data-take-embed]');
  const picture = panel.querySelector('[data-take-qr]');
  const link = panel.querySelector('[data-take-link]');
  const followed = picture.parentElement;
  new MutationObserver(() => {
    const step = Number(new URL(followed.href).searchParams.get('step'));
    picture.src = followed.href;
    link.textContent = atStep(link.textContent, step);
    code.textContent = embedAt(code.textContent, step);
  }).observe(followed, { attributeFilter: ['href'] });
}

/**
 * The code of a frame at another step.
 * @param {string} code
 * @param {number} step
 */
export function embedAt(code, step) {
  return code.replace(/src="([^"]*)"/, (_, url) => `src="${atStep(url.replaceAll('&amp;', '&'), step).replaceAll('&', '&amp;')}"`);
}
