import { palette } from '../../http/pages/design-tokens.ts'

export const style = `${palette}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
body{margin:0;font:16px/1.65 system-ui,sans-serif;color:var(--ink);background:var(--back)}
a{color:var(--mark);text-decoration:none}a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--mark);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;z-index:9;background:var(--back);padding:.5rem 1rem}

header{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:1.25rem;height:3.75rem;padding:0 1.5rem;background:var(--back);border-bottom:1px solid var(--line)}
.brand{font-weight:700;font-size:1.05rem;color:var(--ink)}.brand span{color:var(--soft);font-weight:400}
.reference{margin-left:auto;font-size:.9rem;white-space:nowrap}
.menu{display:none;border:0;background:none;color:var(--ink);font:inherit;font-size:1.3rem;line-height:1;padding:.4rem;margin-left:-.4rem;cursor:pointer}

.search{position:relative;flex:1;max-width:26rem}.search[hidden]{display:none}
.search input{width:100%;height:2.25rem;padding:0 2.2rem 0 .8rem;font:inherit;font-size:.9rem;color:var(--ink);background:var(--side);border:1px solid var(--line);border-radius:8px}
.search input::-webkit-search-cancel-button{display:none}
.search kbd{position:absolute;right:.6rem;top:.5rem;padding:0 .4rem;font:.75rem/1.2rem ui-monospace,monospace;color:var(--soft);border:1px solid var(--line);border-radius:4px;pointer-events:none}
.search input:focus+kbd{display:none}
.search ul{position:absolute;top:2.6rem;left:0;width:min(34rem,calc(100vw - 2rem));max-height:70vh;overflow:auto;margin:0;padding:.4rem;list-style:none;background:var(--back);border:1px solid var(--line);border-radius:10px;box-shadow:0 12px 32px #0003}
.search li a{display:block;padding:.5rem .7rem;border-radius:6px;color:var(--ink)}.search li a:hover,.search [aria-selected=true] a{background:var(--code);text-decoration:none}
.search b{display:block;font-weight:600;font-size:.9rem}.search li span{display:block;font-size:.8rem;line-height:1.4;color:var(--soft)}
.search .none{padding:.6rem .7rem;color:var(--soft)}mark{background:none;color:var(--mark);font-weight:600}

.columns{display:grid;grid-template-columns:17rem minmax(0,1fr) 15rem;max-width:92rem;margin:0 auto}
nav[popover]{display:block;position:sticky;top:3.75rem;inset-inline:auto;width:auto;height:calc(100vh - 3.75rem);max-height:none;margin:0;overflow:auto;padding:1.75rem 1.5rem;border:0;color:inherit;background:none;font-size:.9rem}
nav section{margin-bottom:1.5rem}nav h2,aside h2{margin:0 0 .4rem;font-size:.75rem;font-weight:650;letter-spacing:.05em;text-transform:uppercase;color:var(--soft)}
nav ul,aside ul{list-style:none;margin:0;padding:0}
nav li,aside li{margin:0}nav li a{display:block;padding:.28rem .7rem;margin:0 -.7rem;border-radius:6px;color:var(--ink)}nav li a:hover{background:var(--side);text-decoration:none}
nav [aria-current]{background:var(--code);color:var(--mark);font-weight:600}
.version{margin:0;padding-top:1rem;border-top:1px solid var(--line);font-size:.8rem;color:var(--soft)}
aside{position:sticky;top:3.75rem;align-self:start;max-height:calc(100vh - 3.75rem);overflow:auto;padding:2.4rem 1.5rem 2rem 0;font-size:.85rem;line-height:1.45}
aside a{display:block;padding:.2rem 0 .2rem .8rem;border-left:2px solid var(--line);color:var(--soft)}aside a:hover{color:var(--mark);border-color:var(--mark);text-decoration:none}

main{padding:2rem clamp(1rem,4vw,3.5rem) 4rem}article{max-width:46rem;margin:0 auto}
h1{margin:0 0 1rem;font-size:2.1rem;line-height:1.2;letter-spacing:-.02em}
h2{margin:2.75rem 0 .75rem;font-size:1.4rem;line-height:1.3;letter-spacing:-.01em}
h3{margin:2rem 0 .5rem;font-size:1.1rem}
h1+p{font-size:1.1rem;color:var(--soft)}
.anchor{margin-left:.4rem;font-weight:400;opacity:0}h2:hover>.anchor,h3:hover>.anchor,.anchor:focus{opacity:1}
p,ul,ol{margin:0 0 1rem}li{margin:.3rem 0}li>ul,li>ol{margin:.3rem 0}
code{background:var(--code);padding:.1em .35em;border-radius:4px;font:.875em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
pre{margin:0 0 1.25rem;padding:1rem 1.15rem;overflow:auto;background:var(--side);border:1px solid var(--line);border-radius:8px;font:.84rem/1.6 ui-monospace,SFMono-Regular,Menlo,monospace}
pre code{padding:0;background:none;font:inherit;overflow-wrap:normal}.comment{color:var(--soft)}
.code{position:relative}.copy{position:absolute;top:.5rem;right:.5rem;padding:.15rem .6rem;font:inherit;font-size:.75rem;color:var(--soft);background:var(--back);border:1px solid var(--line);border-radius:6px;cursor:pointer;opacity:0}
.code:hover .copy,.copy:focus{opacity:1}
.table{overflow-x:auto;margin:0 0 1.25rem}table{width:100%;border-collapse:collapse;font-size:.9rem;line-height:1.5}
td code{overflow-wrap:normal}th{text-align:left;font-weight:600;color:var(--soft);font-size:.8rem}th,td{padding:.55rem .9rem .55rem 0;border-bottom:1px solid var(--line);vertical-align:top}
blockquote{margin:0 0 1.25rem;padding:.8rem 1.1rem;background:var(--side);border-left:3px solid var(--mark);border-radius:0 8px 8px 0}blockquote p:last-child{margin:0}
img{display:block;max-width:100%;height:auto;margin:0 0 1.25rem}.picture{display:block;overflow-x:auto}
.screen img{width:100%;aspect-ratio:1440/900;border:1px solid var(--line);border-radius:8px}
main footer{display:flex;justify-content:space-between;gap:1rem;max-width:46rem;margin:3.5rem auto 0;padding-top:1.5rem;border-top:1px solid var(--line)}
main footer a{font-weight:600}main footer small{display:block;font-weight:400;color:var(--soft)}main footer .next{text-align:right}

@media(max-width:80rem){.columns{grid-template-columns:16rem minmax(0,1fr)}aside{display:none}}
@media(max-width:52rem){
header{gap:.75rem;padding:0 1rem}.menu{display:block}.reference,.search kbd{display:none}.search{margin-left:auto}.search ul{left:auto;right:0}
.columns{display:block}nav[popover]{position:fixed;inset:3.75rem auto 0 0;width:min(20rem,85vw);height:auto;background:var(--back);border-right:1px solid var(--line);box-shadow:0 12px 32px #0003}nav[popover]:not(:popover-open){display:none}
nav::backdrop{background:#0006}main{padding-top:1.5rem}h1{font-size:1.75rem}h1+p{font-size:1.05rem}.copy{display:none}
table{min-width:30rem}.picture img[src*="/pictures/"]{width:44rem;max-width:none}
}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{header,nav[popover],aside,main footer,.copy{display:none}.columns{display:block}}
`
