// The scripts of every page. Without them the page shows the same and its
// forms do the same, one request more each.
import { installCopy } from './copy.js';
import { installTheme } from './theme.js';

installTheme(document);
installCopy(document, navigator.clipboard);
