// The scripts of every page. Without them the page shows the same and its
// forms do the same, one request more each.
import { installCopy } from './copy.js';
import { installTheme } from './theme.js';

installTheme(document);
installCopy(document, navigator.clipboard);

/** The parts that only some pages have: where they are needed, and what installs them. */
const parts = [
  ['[data-size]', './size.js', ({ installSize }) => installSize(document)],
  ['[data-print]', './size.js', ({ installPrint }) => installPrint(document)],
  ['[data-run]', './run.js', ({ installRun }, run) => installRun(run)],
  ['[data-take]', './take.js', ({ installTake }, panel) => installTake(panel)],
  ['[data-lesson]', './player.js', ({ installPlayer }) => installPlayer(document, window)],
  ['[data-lesson] [data-ask]', './ask.js', ({ installAsk }, ask) => installAsk(ask)],
  ['[data-story]', './sliders.js', ({ installStory }, story) => installStory(story)],
  ['[data-search]', './find.js', ({ installSearch }, form) => installSearch(form, document)],
  ['[data-follow]', './follow.js', ({ installFollow }, root) => void installFollow(root)],
  ['[data-race]', './race.js', ({ installRace }, race) => installRace(race)],
];

await Promise.all(parts.map(async ([place, file, install]) => {
  const element = document.querySelector(place);
  if (element) install(await import(file), element);
}));
// From here on the page is as it stays until somebody acts.
document.documentElement.dataset.installed = '';
