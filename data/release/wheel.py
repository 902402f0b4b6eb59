#!/usr/bin/env python3
"""wheel.py BINARY NOTICES ARCH VERSION OUT PAGES: the static program as a wheel, and OUT/tpuscope-ARCH.cdx.json, what it is made of.
PAGES is the folder of the manual pages that a build makes.
The wheel is a plain zip without Python in it: pip puts the program into bin/ and its manual pages beside.  Standard library alone, no network;
the same input gives the same bytes."""
import base64
import glob
import hashlib
import json
import os
import stat
import sys
import time
import zipfile

binary, notices, arch, version, out, made = sys.argv[1:7]
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
epoch = max(int(os.environ.get('SOURCE_DATE_EPOCH', '315532800')), 315532800)  # a zip begins in 1980
MUSL = '1.2.5'  # of zig 0.17.1


def read(*path):
    with open(os.path.join(*path), 'rb') as f:
        return f.read()


def part(name, version, license, kind='library', **more):
    return {'type': kind, 'bom-ref': f'{name}@{version}', 'name': name, 'version': version, 'licenses': [{'license': {'id': license}}], **more}


def bill_of_materials():
    rows = [line.split() for line in read(here, 'sources.txt').decode().splitlines() if not line.startswith('#')]
    parts = [part(name, v, spdx, purl=f'pkg:generic/{name}@{v}', hashes=[{'alg': 'SHA-256', 'content': sha}]) for name, v, spdx, _, _, sha, _ in rows]
    parts.append(part('musl', MUSL, 'MIT', purl=f'pkg:generic/musl@{MUSL}'))
    parts.append(part('compiler-rt', 'zig-0.17.1', 'MIT', purl='pkg:generic/zig@0.17.1'))
    me = part('tpuscope', version, 'Apache-2.0', 'application', purl=f'pkg:pypi/tpuscope@{version}',
              hashes=[{'alg': 'SHA-256', 'content': hashlib.sha256(read(binary)).hexdigest()}])
    document = {'bomFormat': 'CycloneDX', 'specVersion': '1.5', 'version': 1,
                'metadata': {'timestamp': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(epoch)), 'component': me},
                'components': parts, 'dependencies': [{'ref': me['bom-ref'], 'dependsOn': sorted(p['bom-ref'] for p in parts)}]}
    return (json.dumps(document, indent=1) + '\n').encode()


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()


data, info = f'tpuscope-{version}.data/', f'tpuscope-{version}.dist-info/'
platforms = [f'{p}_{arch}' for p in ('manylinux_2_17', 'manylinux2014', 'musllinux_1_1')]
files = {data + 'scripts/tpuscope': read(binary)}
for page in sorted(p for folder in (os.path.join(top, 'man'), made) for p in glob.glob(os.path.join(folder, 'tpuscope*.[157]'))):
    files[f'{data}data/share/man/man{page[-1]}/{os.path.basename(page)}'] = read(page)
files[info + 'licenses/COPYING'] = read(top, 'COPYING')
files[info + 'licenses/LIBRARIES'] = read(notices)
files[info + 'sboms/tpuscope.cdx.json'] = bill_of_materials()
files[info + 'METADATA'] = f'''Metadata-Version: 2.4
Name: tpuscope
Version: {version}
Summary: Cloud TPU and XLA performance captures in the terminal
License-Expression: Apache-2.0 AND MIT AND BSD-2-Clause AND BSD-3-Clause AND Zlib AND blessing AND X11-distribute-modifications-variant
License-File: COPYING
License-File: LIBRARIES
Keywords: tpu,xla,jax,profiler,xprof,ncurses
Classifier: Environment :: Console :: Curses
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Requires-Python: >=3.7
Description-Content-Type: text/plain

'''.encode() + read(top, 'README')
files[info + 'WHEEL'] = ('Wheel-Version: 1.0\nGenerator: tpuscope\nRoot-Is-Purelib: false\n' + ''.join(f'Tag: py3-none-{p}\n' for p in platforms)).encode()
files[info + 'RECORD'] = (''.join(f'{n},sha256={digest(b)},{len(b)}\n' for n, b in files.items()) + info + 'RECORD,,\n').encode()

name = os.path.join(out, f'tpuscope-{version}-py3-none-{".".join(platforms)}.whl')
with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as z:
    for path, content in files.items():
        entry = zipfile.ZipInfo(path, time.gmtime(epoch)[:6])
        entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
        entry.external_attr = (stat.S_IFREG | (0o755 if '/scripts/' in path else 0o644)) << 16
        z.writestr(entry, content)
with open(os.path.join(out, f'tpuscope-{arch}.cdx.json'), 'wb') as f:
    f.write(files[info + 'sboms/tpuscope.cdx.json'])
print(name)
