export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6678; --line: #dfe4ec; --page: #f5f7fa; --card: #fff;
  --accent: #2456c7; --email: #2456c7; --sms: #11795a; --push: #96480c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf3; --soft: #9aa6b8; --line: #2d3645; --page: #12161d;
  --card: #1a202a; --accent: #8db0ff; --email: #8db0ff; --sms: #62d3aa; --push: #f3b173; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--accent); }
nav { margin-bottom: .75rem; font-size: .9rem; }
.soft { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.list { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; overflow: hidden; }
.list > li + li { border-top: 1px solid var(--line); }
.row { display: block; padding: .7rem .9rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
a.row:hover, a.row:focus-visible { background: color-mix(in srgb, var(--accent) 9%, transparent); }
.top { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; justify-content: space-between; }
.name { font-weight: 600; }
.badge { display: inline-block; font-size: .75rem; font-weight: 600; padding: 0 .45rem; border-radius: 1rem;
  border: 1px solid currentColor; white-space: nowrap; }
.email { color: var(--email); } .sms { color: var(--sms); } .push { color: var(--push); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem .9rem; margin: 0 0 1rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 70vh; min-height: 16rem; resize: vertical; background: #fff;
  border: 1px solid var(--line); border-radius: .6rem; color-scheme: light; }
pre { margin: 0; padding: .8rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
p.text { margin: .35rem 0 0; white-space: pre-wrap; }
`;
