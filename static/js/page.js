// The scripts of every page. Without them the page shows the same and its
// forms do the same, one request more each.
import { installCopy } from './copy.js';
import { installTheme } from './theme.js';

installTheme(document);
installCopy(document, navigator.clipboard);

if (document.querySelector('[data-size]')) import('./size.js').then((size) => size.installSize(document));
if (document.querySelector('[data-print]')) import('./size.js').then((size) => size.installPrint(document));
if (document.querySelector('[data-run]')) import('./run.js').then((run) => run.installRun(document.querySelector('[data-run]')));
if (document.querySelector('[data-lesson]')) {
  import('./player.js').then(({ installPlayer }) => installPlayer(document, window));
}
const story = document.querySelector('[data-story]');
if (story) import('./sliders.js').then(({ installStory }) => installStory(story));
const race = document.querySelector('[data-race]');
if (race) import('./race.js').then(({ installRace }) => installRace(race));
