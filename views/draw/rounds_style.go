package draw

// roundStyle is the style sheet inside a picture of Rounds. The picture leaves
// the console, so its colours are the light values of the tokens, held against
// them by a test.
const roundStyle = `
text { font: 14px "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans", "Segoe UI", system-ui, sans-serif; fill: #15171c; }
.head { font-size: 20px; font-weight: 700; }
.strong { font-weight: 700; }
.mut { fill: #545a66; }
.paper { fill: #ffffff; }
.phase { fill: #f1f1ec; }
.phase.odd { fill: #fafaf7; }
.row { stroke: #d8d9d6; stroke-width: 1; }
.life { stroke: #81878f; stroke-width: 1; }
.arrow { fill: none; stroke: #3a3fb4; stroke-width: 1.6; }
.arrow.multicast { stroke-dasharray: 2 3; stroke-width: 2; }
.arrow.net { stroke-dasharray: 8 4; stroke-width: 2; }
.tip { fill: #3a3fb4; }
.from { fill: #15171c; }
.plus { fill: #ffffff; stroke: #15171c; stroke-width: 1.2; }
.cross { stroke: #15171c; stroke-width: 1.4; }
.local { fill: #ffffff; stroke: #15171c; stroke-width: 1.4; }
.tag { stroke: #ffffff; stroke-width: 1; }
.no { font-size: 12px; font-weight: 700; text-anchor: middle; }
.b0 .tag { fill: #0a5a96; } .b0 .no { fill: #ffffff; }
.b1 .tag { fill: #e69f00; } .b1 .no { fill: #15171c; }
.b2 .tag { fill: #00805c; } .b2 .no { fill: #ffffff; }
.b3 .tag { fill: #be4b8a; } .b3 .no { fill: #ffffff; }
.b4 .tag { fill: #5db7ea; } .b4 .no { fill: #15171c; }
.b5 .tag { fill: #b4450e; } .b5 .no { fill: #ffffff; }
.b6 .tag { fill: #f2e14b; } .b6 .no { fill: #15171c; }
.b7 .tag { fill: #4a4f59; } .b7 .no { fill: #ffffff; }
.h1 { fill: #e6e6e3; } .h2 { fill: #cfd0cf; } .h3 { fill: #b3b5b8; } .h4 { fill: #94979d; }
.h5 { fill: #757983; } .h6 { fill: #575c67; } .h7 { fill: #393d47; } .h8 { fill: #15171c; }
`
