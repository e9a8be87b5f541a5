import assert from 'node:assert/strict';
import test from 'node:test';

import { installTheme, nextTheme, themeCookie } from '../../static/js/theme.js';

/** A page with the switch as the server draws it, showing theme. */
function page(theme) {
  const listeners = {};
  const button = { value: nextTheme(theme) };
  const word = { textContent: '' };
  const form = {
    dataset: { auto: '自动', light: '浅色', dark: '深色' },
    querySelector: (selector) => (selector === 'button' ? button : word),
    addEventListener: (event, listener) => {
      listeners[event] = listener;
    },
  };
  const document = {
    cookie: '',
    documentElement: { dataset: theme === 'auto' ? {} : { theme } },
    querySelector: () => form,
  };
  const submit = () => {
    const event = { prevented: false, preventDefault() { this.prevented = true; } };
    listeners.submit(event);
    return event;
  };
  return { document, button, word, submit };
}

test('the switch goes round the three themes', () => {
  const { document, button, word, submit } = page('auto');
  installTheme(document);
  for (const [theme, name, next] of [['light', '浅色', 'dark'], ['dark', '深色', 'auto'], [undefined, '自动', 'light']]) {
    assert.equal(submit().prevented, true);
    assert.equal(document.documentElement.dataset.theme, theme);
    assert.equal(word.textContent, name);
    assert.equal(button.value, next);
    assert.match(document.cookie, new RegExp(`^lockstep_theme=${theme ?? 'auto'};`));
  }
});

test('the cookie reaches every page, for a year, and no other site', () => {
  assert.equal(themeCookie('dark'), 'lockstep_theme=dark; Path=/; Max-Age=31536000; SameSite=Lax');
});

test('a page without the switch is left alone', () => {
  installTheme({ querySelector: () => null });
});
