/** The stylesheet of the pages of portals, in addition to that of every page. */
export const portalStyle = `main{max-width:760px;gap:24px}
.brand{display:flex;align-items:center;gap:16px}
.brand .icon-image{flex:none;width:48px;height:48px;margin:0;border-radius:11px;font-size:22px}
.brand h1,.brand p{font-size:20px;line-height:1.3;font-weight:700;letter-spacing:-.01em;overflow-wrap:anywhere}
.brand a{color:inherit;text-decoration:none}
.about{margin-top:-8px;white-space:pre-line;overflow-wrap:anywhere}
.tabs{display:flex;gap:24px;border-bottom:1px solid var(--line)}
.tabs a{padding:8px 0 10px;font-size:14px;font-weight:500;text-decoration:none;color:var(--soft);border-bottom:2px solid transparent}
.tabs a[aria-current]{color:var(--ink);border-color:var(--mark)}
.filters{display:grid;gap:12px;grid-template-columns:1fr}
.filters label{display:block;margin:0 0 4px;font-size:13px}
.filters input,.filters select{min-height:44px;margin:0;background:var(--card)}
.filters button{min-height:44px;align-self:end}
.entries{list-style:none;margin:0;padding:0 24px}
.entries>li{display:flex;flex-direction:column;gap:12px;padding:20px 0;border-top:1px solid var(--line)}
.entries>li:first-child{border-top:0}
.entries h2,.entries h3{font-size:16px;line-height:1.4;overflow-wrap:anywhere}
.entries h2 a,.entries h3 a{color:inherit;text-decoration:none}
.entries h2 a:hover,.entries h3 a:hover{text-decoration:underline}
.entries .meta{font-size:13px;color:var(--soft);overflow-wrap:anywhere}
.entries .excerpt{margin-top:8px;font-size:14px;overflow-wrap:anywhere}
.entry-text{flex:1;min-width:0}
.entry-action{display:flex;flex-direction:column;gap:8px;align-items:stretch;flex:none}
.entry-action button{min-height:44px;font-size:14px}
.entry-action a{font-size:14px;text-align:center;padding:6px 0}
.section-title{font-size:18px;margin-bottom:-12px}
.pager{display:flex;flex-wrap:wrap;gap:12px;justify-content:center}
.pager .button{width:auto;min-height:44px}
.more-of{font-size:13px;color:var(--soft);display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;justify-content:center;text-align:center}
.more-of a{padding:4px 0}
.more-of button{display:inline;width:auto;min-height:0;padding:4px 0;font:inherit;color:var(--mark);background:none;border:0;text-decoration:underline}
.permalinks summary{font-weight:600}
.permalinks p{margin-top:12px;font-size:14px}
.permalinks pre{margin-top:4px}
.permalinks pre code{white-space:pre-wrap;overflow-wrap:anywhere;-webkit-user-select:all;user-select:all}
.change{display:flex;flex-direction:column}
@media(min-width:600px){main{padding-top:40px}.filters{grid-auto-flow:column;grid-template-columns:1fr;grid-auto-columns:auto}.filters button{width:auto}.entries{padding:0 32px}.entries>li{flex-direction:row;gap:24px;align-items:flex-start}.entry-action{min-width:232px;max-width:280px}.entry-action button{white-space:nowrap}}
`
