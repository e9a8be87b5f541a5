// The theme switch: a form with one button that takes the page to the next of
// three themes. The server draws it and can carry it out; this saves the trip.

/** @typedef {'auto' | 'light' | 'dark'} Theme */

/** @type {Record<Theme, Theme>} */
const following = { auto: 'light', light: 'dark', dark: 'auto' };

/**
 * The theme after this one, in the order in which the switch goes round.
 * @param {Theme} theme
 * @returns {Theme}
 */
export function nextTheme(theme) {
  return following[theme];
}

/**
 * The cookie that tells the server, so that the next page arrives in its theme
 * and never flashes.
 * @param {Theme} theme
 */
export function themeCookie(theme) {
  return `lockstep_theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/**
 * Takes the switch of the page over, if there is one.
 * @param {Document} document
 */
export function installTheme(document) {
  const form = document.querySelector('form[data-theme-switch]');
  if (!form) return;
  const button = form.querySelector('button');
  const word = form.querySelector('[data-theme-word]');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const theme = /** @type {Theme} */ (button.value);
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    document.cookie = themeCookie(theme);
    word.textContent = form.dataset[theme];
    button.value = nextTheme(theme);
  });
}
