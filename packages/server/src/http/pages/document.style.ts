import { fonts, palette } from './design-tokens.ts'

/** The stylesheet of pages for visitors, included in each page. Sizes are on a grid of 4 px. */
export const documentStyle = `${palette}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;font:16px/1.5 ${fonts.text};color:var(--ink);background:var(--page)}
main{flex:1;width:100%;max-width:480px;margin:0 auto;padding:16px 16px 32px;display:flex;flex-direction:column;gap:16px}
footer{padding:0 16px 24px;text-align:center;font-size:12px;color:var(--soft)}
h1,h2,h3,h4,h5,h6,p,ul,ol,dl,dd,pre,blockquote{margin:0}
h1{font-size:28px;line-height:1.25;letter-spacing:-.02em;overflow-wrap:anywhere}
h2{font-size:16px;line-height:1.5}
h3{font-size:14px;line-height:1.5;overflow-wrap:anywhere}
a{color:var(--mark)}
:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
.small{font-size:13px;color:var(--soft)}
.icon{flex:none;vertical-align:-.25em}
.card{padding:24px;background:var(--card);border:1px solid var(--line);border-radius:8px}
article.card{display:flex;flex-direction:column;gap:12px;text-align:center}
header{display:flex;flex-direction:column;align-items:center;padding:8px 0 12px}
.icon-image{width:80px;height:80px;margin-bottom:16px;border-radius:18px;object-fit:contain}
.letter{display:grid;place-items:center;font-size:36px;font-weight:600;color:var(--on-mark);background:var(--mark)}
.version{font-size:16px;font-variant-numeric:tabular-nums;color:var(--soft);overflow-wrap:anywhere}
.subtitle{margin-top:8px;font-weight:500;overflow-wrap:anywhere}
button,.button{display:flex;align-items:center;justify-content:center;gap:8px;width:100%;min-height:48px;padding:8px 16px;font:inherit;font-weight:600;text-decoration:none;color:var(--on-mark);background:var(--mark);border:1px solid transparent;border-radius:8px;cursor:pointer}
button:hover,.button:hover{background:var(--mark-hover)}
.secondary{color:var(--ink);background:none;border-color:var(--line)}
.secondary:hover{background:var(--code)}
.file-name{font-size:13px;color:var(--soft);overflow-wrap:anywhere}
.size{white-space:nowrap}
.file-name .size::before{content:"· "}
.hint{padding:12px 16px;font-size:14px;text-align:left;background:var(--code);border-radius:8px}
summary{display:flex;align-items:center;gap:8px;cursor:pointer;list-style:none;font-size:14px;font-weight:500;border-radius:4px}
summary::-webkit-details-marker{display:none}
summary::after{content:"";width:7px;height:7px;margin:-4px 4px 0 auto;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(45deg)}
[open]>summary::after{margin-top:4px;transform:rotate(-135deg)}
summary .icon{color:var(--soft)}
article details,.form details{text-align:left;border-top:1px solid var(--line);padding-top:16px;margin-top:4px}
details ol{margin-top:12px;padding-left:24px;font-size:14px}
details li{padding:4px 0}
.choices{text-align:left;margin-top:12px}
.choices h2{font-size:14px}
.choices ul{list-style:none;padding:0;margin-top:8px}
.choices li{display:flex;align-items:center;gap:16px;padding:12px 0;border-top:1px solid var(--line)}
.choices li div{flex:1;min-width:0}
.choices strong,.choices div>span{display:block;overflow-wrap:anywhere}
.choices strong{display:flex;flex-wrap:wrap;column-gap:8px;font-size:14px;font-weight:500}
.choices .size{font-weight:400;font-variant-numeric:tabular-nums;color:var(--soft)}
.choices div>span{font-size:13px;color:var(--soft)}
.choices button,.choices .button{width:auto;min-height:40px;font-size:14px}
.choices .unavailable{flex:none}
.unavailable{font-size:13px;color:var(--soft)}
.facts{margin-top:4px;font-size:14px;text-align:left}
.facts div{display:flex;justify-content:space-between;gap:24px;padding:12px 0;border-top:1px solid var(--line)}
.facts div:last-child{padding-bottom:0}
.facts dt{flex:none;color:var(--soft)}
.facts dd{text-align:right;overflow-wrap:anywhere;min-width:0;font-variant-numeric:tabular-nums}
.good{color:var(--good)}
.bad{color:var(--danger)}
.facts .icon{width:16px;height:16px;vertical-align:-3px}
.notes{margin-top:12px;line-height:1.6;font-size:14px;overflow-wrap:anywhere}
.notes>*+*{margin-top:12px}
.notes>*+:is(h3,h4,h5,h6){margin-top:24px}
.notes h3{font-size:16px}
.notes :is(h4,h5,h6){font-size:14px}
.notes ul,.notes ol{padding-left:24px}
.notes li{padding:2px 0}
.notes blockquote{padding-left:16px;border-left:2px solid var(--line);color:var(--soft)}
.notes table{display:block;overflow-x:auto;border-collapse:collapse}
.notes th,.notes td{padding:4px 12px 4px 0;text-align:left;border-bottom:1px solid var(--line)}
.notes hr{border:0;border-top:1px solid var(--line)}
.plain{white-space:pre-wrap}
code{font:.875em/1.5 ${fonts.code};padding:2px 4px;background:var(--code);border-radius:4px}
pre{margin-top:8px;padding:12px;background:var(--code);border-radius:8px;overflow-x:auto}
pre code{padding:0;background:none;border-radius:0;font-size:13px}
.checksums summary{font-weight:600}
.checksums p{margin-top:12px;font-size:14px}
.checksums h3{margin-top:16px}
.checksums pre{margin-top:4px}
.copied,.checksums pre code{white-space:pre-wrap;overflow-wrap:anywhere;-webkit-user-select:all;user-select:all}
.checksums .line{margin-top:8px}
.checksums .line+pre code{font-size:12px}
.obstacles{display:grid;gap:8px;list-style:none;color:var(--warn)}
.choices div>.warning{color:var(--warn)}
.phone{display:flex;align-items:center;gap:24px}
.qr{flex:none;width:176px;height:176px;border-radius:8px;shape-rendering:crispEdges}
@media(max-width:599px),(hover:none){.phone{display:none}}
.notice{display:flex;flex-direction:column;gap:12px;padding:32px 24px;text-align:center}
.notice form{display:flex;flex-direction:column;gap:12px}
.notice h1{font-size:20px}
.notice p{color:var(--soft);text-wrap:balance;overflow-wrap:anywhere}
.notice form+form{margin-top:12px;padding-top:24px;border-top:1px solid var(--line)}
.symbol{display:grid;place-items:center;width:48px;height:48px;margin:0 auto 4px;color:var(--soft);background:var(--code);border-radius:50%}
.symbol .icon{width:24px;height:24px}
label{margin-top:8px;font-size:14px;font-weight:500;text-align:left}
input,select,textarea{width:100%;min-height:48px;padding:8px 12px;font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--soft);border-radius:8px}
label+input,label+select{margin-top:-8px}
.notice .error{color:var(--danger);font-size:14px;text-align:left;margin-top:-4px}
.steps{padding-left:24px;font-size:14px;text-align:left}
.steps li{padding:4px 0}
.entry{display:flex;flex-direction:column;gap:12px;margin-top:12px}
.entry .error{color:var(--danger);font-size:14px}
details>.small{margin-top:12px}
.back{text-align:center}
[aria-invalid]{border-color:var(--danger)}
.form{display:flex;flex-direction:column;gap:8px}
.form h1{font-size:20px}
.form label{margin-top:12px}
.form label,legend{font-size:14px;font-weight:500;text-align:left}
.form label+:is(input,textarea,select){margin-top:0}
.form>:is(button,.button){margin-top:16px}
.form>p:not(.small){font-size:14px}
.form>details{margin-top:8px}
.form .error{color:var(--danger);font-size:14px}
textarea{resize:vertical}
input[type=file]{padding:7px;font-size:14px;color:var(--soft)}
::file-selector-button{min-height:32px;margin-right:12px;padding:4px 12px;font:inherit;font-weight:500;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px}
fieldset{margin:12px 0 0;padding:0;border:0;min-width:0}
legend{padding:0}
.rating{display:flex;gap:8px;margin-top:8px}
.rating label{position:relative;flex:1;margin:0}
.rating input{position:absolute;inset:0;width:100%;height:100%;min-height:0;margin:0;opacity:0;cursor:pointer}
.rating span{display:block;padding:10px 0;text-align:center;white-space:nowrap;font-variant-numeric:tabular-nums;border:1px solid var(--soft);border-radius:8px}
.rating :checked+span{color:var(--on-mark);background:var(--mark);border-color:var(--mark)}
.rating :focus-visible+span{outline:2px solid var(--mark);outline-offset:2px}
@media(min-width:600px){main{padding-top:64px}.card{padding:32px}.notice{padding:48px 40px}}
@media(prefers-reduced-motion:no-preference){button,.button{transition:background-color .1s}}
`
