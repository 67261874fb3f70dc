#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Folds dumps of real kernels (MACHINE+kKERNEL[--STAGE]/) into one text file a kernel.

usage: pack.py DUMPS OUT. The format is described in README.md.
"""
import collections
import glob
import json
import os
import re
import sys


def cpus(text):
    out = []
    for part in filter(None, text.split(',')):
        first, _, last = part.partition('-')
        out += range(int(first), int(last or first) + 1)
    return out


def as_list(numbers):
    out, run = [], []
    for n in sorted(numbers) + [None]:
        if run and n == run[-1] + 1:
            run.append(n)
            continue
        if run:
            out.append(f'{run[0]}-{run[-1]}' if len(run) > 1 else str(run[0]))
        run = [n]
    return ','.join(out)


NEEDED = re.compile(r'(topology/(package|die|cluster|core)_cpus_list|cpu_capacity|'
                    r'cache/index\d+/(level|type|shared_cpu_list))$')


def sysfs(path):
    section, lines, folded = '', [], collections.OrderedDict()
    for line in open(path):
        line = line.rstrip('\n')
        if line.startswith('### '):
            section = line[4:]
            if section in ('kernel', 'cpu lists', 'topology', 'cache', 'nodes'):
                lines.append(line)
            continue
        if section not in ('kernel', 'cpu lists', 'topology', 'cache', 'nodes') or 'meminfo' in line:
            continue
        cpu = re.match(r'cpu(\d+)/(.*?):(.*)$', line)
        if cpu and NEEDED.search(cpu[2]):
            if cpu[2] not in folded:
                folded[cpu[2]] = collections.OrderedDict()
                lines.append((cpu[2],))
            folded[cpu[2]].setdefault(cpu[3], []).append(int(cpu[1]))
        elif not cpu:
            lines.append(line)
    out = []
    for line in lines:
        if isinstance(line, str):
            out.append(line)
            continue
        values = folded[line[0]]
        if all(as_list(cpus) == value for value, cpus in values.items()):
            out.append(f'= {line[0]} ' + ' '.join(sorted(values, key=lambda v: values[v])))
        else:
            out += [f'+ {line[0]} {as_list(c)} {value}' for value, c in values.items()]
    return out


def group(g, exact):
    mask = f'/{g["mask"]}' if 'mask' in g else ''
    weight = len(cpus(g['span']))
    noisy = 'cap' in g and g['cap'] != 1024 * weight
    return f'{g["id"]}:{g["span"]}{mask}{"~" if noisy else ""}'


def domain_key(cpu, sd, attrs):
    groups = [group(g, None) for g in sd['groups']]
    holders = [i for i, g in enumerate(sd['groups']) if cpu in cpus(g['span'])]
    mode = 'listed'
    if holders == [0]:
        mode = 'own'
        least = min(range(len(groups)), key=lambda i: sd['groups'][i]['id'])
        groups = groups[least:] + groups[:least]
    a = dict(sd['attrs'])
    low, high = a.pop('min_interval'), a.pop('max_interval')
    text = ' '.join(f'{k}={a[k].replace(" ", "|")}' for k in sorted(a))
    return (sd['level'], sd['span'], mode, ' '.join(groups), low, high, attrs.setdefault(text, len(attrs)))


def steps_until(machine, stage):
    """Options of a stage: partitions and isolated sets made so far."""
    partitions, isolated = [], []
    found = re.search(r'oracle\.steps=(\S+)', machine)
    for step in re.split(r',(?=on:|off:|part:|dump:|smt:)', found[1]) if found and stage else []:
        word = step.split(':')
        if word[0] == 'part':
            (partitions if word[2] == 'root' else isolated).append(word[3].replace('+', ','))
        if word[0] == 'dump' and word[1].replace('+', ',') == stage.replace('+', ','):
            break
    found = re.search(r'isolcpus=([^\s;]+)', machine)
    if found:
        isolated.append(found[1])
    return partitions, isolated


def pack(root, name):
    full, _, stage = name.partition('--')
    machine = open(f'{root}/{name}/machine.txt').read()
    domains = json.load(open(f'{root}/{name}/domains.json'))
    lines = [f'dump {name}']
    about = re.search(r'description: *(.*)', machine)[1]
    if about:
        lines.append(f'about {about}')
    lines.append('arch ' + {'amd64': 'x86_64', 'arm64': 'arm64'}[re.search(r'arch=(\S+)', machine)[1]])
    lines.append('cpu ' + re.search(r'-cpu (\S+)', machine)[1])
    for word in re.search(r'append: (.*)', machine)[1].split():
        if re.match(r'(nosmt|relax_domain_level|maxcpus|nr_cpus|numa|isolcpus|nohz_full)', word):
            lines.append(f'booted {word}')
    base_online = set()
    if stage:
        base_online = set(cpus(json.load(open(f'{root}/{full}/domains.json'))['online']))
    online = set(cpus(domains['online']))
    partitions, isolated = steps_until(machine, stage)
    lines += [f'partition {p}' for p in partitions] + [f'isolated {i}' for i in isolated]
    if stage and online <= base_online:
        lines.append(f'after {full}')
        if base_online - online:
            lines.append(f'offline {as_list(base_online - online)}')
    else:
        lines += ['sysfs'] + sysfs(f'{root}/{name}/sysfs.txt') + ['.']
    attrs, folded = {}, collections.OrderedDict()
    for cpu, chain in domains['cpus'].items():
        if not chain:
            folded.setdefault((None,), []).append(int(cpu))
        for depth, sd in enumerate(chain):
            folded.setdefault((depth,) + domain_key(int(cpu), sd, attrs), []).append(int(cpu))
    for text, number in attrs.items():
        lines.append(f'attrs {number} {text.replace("BALANCE_NEWIDLE|SD_BALANCE_EXEC|SD_BALANCE_FORK|SD_WAKE_AFFINE", "BALANCE_ALL")}')
    for key, members in sorted(folded.items(), key=lambda kv: (kv[0][0] is None, kv[0][0] or 0, kv[1])):
        if key[0] is None:
            lines.append(f'none {as_list(members)}')
        else:
            depth, level, span, mode, groups, low, high, number = key
            lines.append(f'domain {as_list(members)} {depth} {level} {span} {low} {high} '
                         f'{number} {mode} {groups}')
    return lines + ['end', '']


def main():
    root, out = sys.argv[1:]
    files = collections.defaultdict(list)
    for path in sorted(glob.glob(f'{root}/*+k*/domains.json'), key=os.path.dirname):
        name = os.path.basename(os.path.dirname(path))
        kernel = re.search(r'\+k([0-9.]+)', name)[1]
        files[kernel] += pack(root, name)
    for kernel, lines in files.items():
        with open(f'{out}/{kernel}.txt', 'w') as f:
            f.write('\n'.join(lines))


main()
