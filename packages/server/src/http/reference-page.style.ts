import { palette } from './design-tokens.ts'

export const style = `${palette}
*{box-sizing:border-box}html{scroll-behavior:smooth}
body{margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--back)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.25rem;background:var(--side);border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;margin:0;padding:0}nav>ul>li{margin-top:.9rem}nav>ul>li>a{font-weight:650;text-transform:capitalize;color:var(--ink)}
nav li li a{display:block;padding:.12rem 0 .12rem .6rem;color:var(--soft)}a{color:var(--mark);text-decoration:none}a:hover{text-decoration:underline}
.brand{margin:0;font-weight:700;font-size:1rem}small{color:var(--soft);font-weight:400;font-size:.8em;margin-left:.35rem}
main{padding:2rem clamp(1rem,4vw,3.5rem);max-width:62rem}h1{margin:0;font-size:1.9rem}h2{margin:3rem 0 0;text-transform:capitalize;border-bottom:1px solid var(--line);padding-bottom:.3rem}
article{margin:1.75rem 0 2.5rem;scroll-margin-top:1rem}h3{margin:0 0 .3rem;font-size:1.15rem}h4{margin:1rem 0 .3rem;font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft)}
code{background:var(--code);padding:.08em .35em;border-radius:4px;font:.875em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
pre{background:var(--code);padding:.8rem 1rem;border-radius:6px;overflow:auto;font:.82rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
.line{margin:.2rem 0}.line b{display:inline-block;min-width:4.2rem;text-align:center;border-radius:4px;color:#fff;font-size:.75rem;padding:.15rem .4rem;background:#57606a}
.line .get{background:#1a7f4b}.line .post{background:#0b6bcb}.line .delete{background:#c0353a}.line .patch,.line .put{background:#9a6700}
.scope{margin:.2rem 0;color:var(--soft);font-size:.875rem}table{width:100%;border-collapse:collapse;font-size:.9rem}td{border-top:1px solid var(--line);padding:.4rem .6rem .4rem 0;vertical-align:top}
td:first-child{width:30%}td.type{width:22%;color:var(--soft)}td table td{font-size:.95em}sup{color:#c0353a}details{margin-top:.8rem}summary{cursor:pointer;color:var(--mark)}
dl{display:grid;grid-template-columns:3.2rem 1fr;gap:.4rem .8rem}dt{font-weight:650}.s2{color:#1a7f4b}.s4{color:#9a6700}.s5{color:#c0353a}dd{margin:0}
@media(max-width:52rem){body{display:block}nav{position:static;height:auto;max-height:40vh}table,tbody,tr,td{display:block;width:auto!important}}
`
