"""The style sheet of the report.

Invariant: each colour of a text has a contrast of at least 4.5 to its background, in the light and
in the dark palette; nothing is loaded from elsewhere.
"""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--dim:#57606a;--line:#d0d7de;
--soft:#f6f8fa;--link:#0550ae;--good:#1a7f37;--bad:#b3261e;--warn:#7d4e00;
--goodbg:#eaf7ee;--badbg:#fdecea;--warnbg:#fff6dd}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--dim:#9da7b3;
--line:#3d444d;--soft:#161b22;--link:#79b8ff;--good:#56d364;--bad:#ff938a;--warn:#e3b341;
--goodbg:#10231a;--badbg:#2d1517;--warnbg:#2b2210}}
*{box-sizing:border-box}
body{margin:0 auto;padding:0 24px 64px;max-width:1232px;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}
h1{font-size:26px;margin:24px 0 4px}h2{font-size:20px;margin:40px 0 0;padding-top:16px;
border-top:1px solid var(--line)}h3{font-size:16px;margin:24px 0 8px}
a{color:var(--link)}a:focus-visible,summary:focus-visible,.frame:focus-visible{
outline:3px solid var(--link);outline-offset:2px}
code,pre{font:13px/1.45 ui-monospace,monospace}h1 code,h2 code{font-size:inherit}
pre{background:var(--soft);padding:8px 12px;overflow:auto;margin:4px 0 12px}
.skip{position:absolute;left:-9999px}.skip:focus{left:24px;top:8px;background:var(--paper);
padding:8px}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
.place,.dim{color:var(--dim);margin:0 0 8px}
.note{background:var(--warnbg);color:var(--warn);padding:6px 10px;border-left:4px solid}
.frame{overflow-x:auto;margin:8px 0 16px}
table{border-collapse:collapse;width:100%}caption{text-align:left;color:var(--dim);padding:0 0 4px}
.plain th,.plain td{text-align:left;vertical-align:top;padding:4px 10px 4px 0;
border-bottom:1px solid var(--line);font-weight:400}
.plain thead th{font-weight:600;border-bottom:2px solid var(--line)}
.plain code{white-space:pre-wrap;overflow-wrap:anywhere}
.plain .id{white-space:nowrap}
.share{white-space:nowrap}meter{width:72px;height:12px;margin-right:8px;vertical-align:middle}
.source{font:13px/1.45 ui-monospace,monospace}
.source td,.source th{vertical-align:top;padding:0 8px;font-weight:400}
.source th{text-align:right;color:var(--dim);width:1%}
.source td:nth-child(2){width:1%;text-align:center}.source td:nth-child(3){width:80%}
.source td:nth-child(4){color:var(--dim);font:12px/1.5 system-ui,sans-serif;white-space:nowrap}
.source td>code{white-space:pre-wrap;overflow-wrap:anywhere}
.source ul{margin:2px 0 6px;padding-left:16px;white-space:normal;max-width:300px;
overflow-wrap:anywhere}
.hit td:nth-child(2){color:var(--good)}
.part{background:var(--warnbg)}.part td:nth-child(2),.notes{color:var(--warn)}
.miss{background:var(--badbg)}.miss td:nth-child(2){color:var(--bad)}
.notes{font:13px/1.45 system-ui,sans-serif;padding:2px 0 6px 24px}
tr:target{outline:2px solid var(--link);outline-offset:-2px}
.row,.test{margin:4px 0}summary{cursor:pointer}
.states .box{fill:var(--soft);stroke:var(--dim)}.states text,.states .title{fill:var(--ink)}
.states .label,.states .tip{fill:var(--dim)}.states .new{stroke:var(--good)}
.states .old{stroke:var(--dim)}.states .note{fill:var(--warn)}
@media print{.frame{overflow:visible}details{display:block}}
"""
