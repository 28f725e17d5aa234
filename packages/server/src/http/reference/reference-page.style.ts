import { chosenPalette, fonts, palette } from '../pages/design-tokens.ts'

export const style = `${palette}
${chosenPalette}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:72px;-webkit-text-size-adjust:100%}
body{margin:0;font:14px/1.55 ${fonts.text};color:var(--ink);background:var(--back)}
a{color:var(--mark);text-decoration:none}a:hover,:is(p,i,span)>a{text-decoration:underline}
:focus-visible{outline:2px solid var(--mark);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}.skip:focus{left:16px;top:16px;z-index:9;background:var(--back);padding:8px 16px}
[hidden]{display:none!important}
header{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:20px;min-height:56px;padding:8px 24px;background:var(--back);border-bottom:1px solid var(--line)}
.brand{font-weight:650;font-size:15px;color:var(--ink)}.brand span{color:var(--soft);font-weight:400}.site{color:var(--soft)}
.menu{display:none;width:44px;height:44px;border:0;background:none;color:var(--ink);font-size:20px;cursor:pointer}
.search{position:relative;flex:1;max-width:26rem}
input:not([type=radio]){width:100%;height:36px;padding:0 12px;font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:8px}
.search kbd{position:absolute;right:10px;top:9px;padding:0 6px;font:12px/18px ${fonts.code};color:var(--soft);border:1px solid var(--line);border-radius:4px;pointer-events:none}
.search input:focus+kbd{display:none}
.search ul{position:absolute;top:42px;left:0;width:min(34rem,calc(100vw - 32px));max-height:70vh;overflow:auto;margin:0;padding:6px;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:8px;box-shadow:0 12px 32px #0003}
.search li{padding:8px 12px;border-radius:6px;cursor:pointer}.search li[aria-selected=true],.search li[role=option]:hover{background:var(--code)}.search li span{display:block;font-size:12px;color:var(--soft);overflow-wrap:anywhere}
.languages{display:flex;flex:none;margin:0 0 0 auto;padding:2px;border:0;background:var(--code);border-radius:8px}.languages legend,.languages input{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.languages label{padding:4px 12px;font-size:13px;color:var(--soft);border-radius:6px;cursor:pointer}.languages :checked+label{color:var(--ink);background:var(--card);font-weight:550}.languages :focus-visible+label{outline:2px solid var(--mark)}
nav[popover]{display:block;position:fixed;inset:57px auto 0 0;width:272px;height:auto;margin:0;overflow:auto;padding:20px 16px;border:0;border-right:1px solid var(--line);color:inherit;background:var(--side);font-size:13px}
nav ul{list-style:none;margin:0 0 8px;padding:0}nav li a{display:flex;justify-content:space-between;gap:8px;padding:4px 8px;border-radius:6px;color:var(--soft)}nav>ul a,summary{color:var(--ink)!important}nav li a:hover,nav summary:hover{background:var(--code);text-decoration:none}
nav summary{padding:4px 8px;border-radius:6px;font-weight:550;cursor:pointer}nav summary::first-letter,section>h2::first-letter{text-transform:uppercase}nav details ul{padding-left:12px}nav [aria-current]{background:var(--code);color:var(--mark)}
b{font:600 11px/20px ${fonts.code};text-transform:uppercase;color:var(--soft)}b.get{color:var(--good)}b.post{color:var(--mark)}b.patch,b.put{color:var(--warn)}b.delete{color:var(--danger)}
main{margin-left:272px;padding:0 clamp(16px,3vw,48px) 64px}article{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,30rem);gap:48px;padding:32px 0;border-bottom:1px solid var(--line)}article>div{min-width:0}
.guide{max-width:46rem;padding:8px 0}h1{margin:0;font-size:28px;letter-spacing:-.02em}h2{margin:40px 0 8px;font-size:20px;letter-spacing:-.01em}h3{margin:0 0 8px;font-size:16px}h4{margin:24px 0 4px;font-size:13px}p{margin:8px 0}
.anchor{margin-left:8px;font-weight:400;opacity:0}:is(h2,h3):hover>.anchor,.anchor:focus{opacity:1}
.request code{background:none;padding:0 4px}.badges{display:flex;flex-wrap:wrap;gap:8px}.badges span{padding:2px 8px;font-size:12px;color:var(--soft);border:1px solid var(--line);border-radius:999px}
code{background:var(--code);padding:1px 4px;border-radius:4px;font:.92em ${fonts.code};overflow-wrap:anywhere}
pre{margin:0;padding:16px;overflow:auto;max-height:70vh;background:var(--side);border:1px solid var(--line);border-radius:8px;font:13px/1.6 ${fonts.code}}pre code{padding:0;background:none;font:inherit}var{font-style:normal;color:var(--mark)}
.example{position:sticky;top:72px;align-self:start}.example>pre:not(.curl){display:none}.response{margin-top:16px}.response p{font-size:12px;color:var(--soft)}.response pre{max-height:24rem}
body:has(#language-sdk:checked) .example>pre:not(.sdk),body:has(#language-cli:checked) .example>pre:not(.cli){display:none}body:has(#language-sdk:checked) .example .sdk,body:has(#language-cli:checked) .example .cli{display:block}
.tabs{display:flex;gap:4px;margin-bottom:8px}.tabs button{padding:4px 8px;font:inherit;font-size:12px;color:var(--soft);background:none;border:1px solid transparent;border-radius:6px;cursor:pointer}.tabs button:hover{background:var(--code)}.tabs [aria-pressed=true]{color:var(--ink);background:var(--code)}.tabs .copy{margin-left:auto;border-color:var(--line)}
.values{display:grid;grid-template-columns:1fr 1fr;gap:8px 12px;margin-bottom:16px;padding:16px;background:var(--card);border:1px solid var(--line);border-radius:8px}.values label{font-size:12px;color:var(--soft)}.values p,.values h2{grid-column:1/-1;margin:0}.values h2{font-size:14px}.values p{font-size:12px;color:var(--soft)}
.fields{list-style:none;margin:0;padding:0}.fields li{padding:10px 0;border-top:1px solid var(--line)}.fields .fields{margin:8px 0 0;padding-left:16px;border-left:2px solid var(--line)}.fields p{margin:4px 0 0}i{font-style:normal;font-size:12px;color:var(--soft)}em{font-style:normal;font-size:12px;color:var(--warn)}small{font-size:12px;color:var(--soft)}
:target>:is(div>h3,a:first-child code){background:color-mix(in srgb,var(--mark) 18%,transparent)}
article details{margin-top:20px}article summary{font-weight:550;cursor:pointer}dl{display:grid;grid-template-columns:40px minmax(0,1fr);gap:8px 12px}dt{font-weight:600}.s2{color:var(--good)}.s4{color:var(--warn)}.s5{color:var(--danger)}dd{margin:0}
@media(max-width:76rem){article{display:block}.example{position:static;margin-top:24px}}
@media(max-width:52rem){html{scroll-padding-top:120px}header{flex-wrap:wrap;gap:8px;padding:8px 16px}.menu{display:block;margin-left:-12px}.brand,.site,.search kbd{display:none}.languages{order:9;margin:0;width:100%}.languages label{flex:1;min-height:40px;padding-top:9px;text-align:center}
nav[popover]{inset:57px auto 0 0;width:min(20rem,85vw);z-index:9;box-shadow:0 12px 32px #0003}nav[popover]:not(:popover-open){display:none}nav::backdrop{background:#0006}nav li a,nav summary{padding:10px 8px}main{margin:0;padding:0 16px 48px}.search{max-width:none}.search input,.values input{height:44px;font-size:16px}.tabs button{min-height:40px;padding:4px 12px}.values{grid-template-columns:1fr}}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{header,nav[popover],.tabs,.values{display:none}main{margin:0}}
`
