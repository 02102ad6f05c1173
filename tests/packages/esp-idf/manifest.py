#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""manifest.py FOLDER: prints what is wrong with FOLDER/idf_component.yml and FOLDER/sbom.yml, a line each. The rules are those that the ESP
component manager has for an upload, and those that esp-idf-sbom has."""

import os
import re
import sys

import yaml

KEYS = {'name', 'version', 'targets', 'maintainers', 'description', 'license', 'tags', 'dependencies', 'files', 'examples',
    'url', 'repository', 'documentation', 'issues', 'discussion', 'repository_info', 'overrides'}
FILES_KEYS = {'use_gitignore', 'include', 'exclude'}
TARGETS = {'esp32', 'esp32s2', 'esp32c3', 'esp32s3', 'esp32c2', 'esp32c5', 'esp32c6', 'esp32c61', 'esp32h2', 'esp32h21',
    'esp32h4', 'esp32p4', 'esp32s31', 'linux'}
DEPENDENCY_KEYS = {'version', 'public', 'path', 'git', 'registry_url', 'service_url', 'rules', 'matches', 'override_path',
    'require', 'pre_release'}
SBOM_KEYS = {'name', 'version', 'repository', 'url', 'cpe', 'purl', 'supplier', 'originator', 'description', 'license',
    'copyright', 'hash', 'cve-exclude-list', 'cve-keywords', 'manifests', 'virtpackages', 'if'}
SLUG = r'[a-zA-Z\d]+(?:(?:[_-](?![_-]+))|(?:[a-zA-Z\d]))*[a-zA-Z\d]+'
NAME = re.compile(f'^((?:{SLUG}/{SLUG})|(?:{SLUG}))$')
SEMVER = re.compile(r'^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?(~\d+)?$')
URL = re.compile(r'^https?://[^\s/]+\S*$')
GIT = re.compile(r'^(https?|git|ssh)://[^\s/]+/\S+\.git$')
TAG = re.compile(r'^[A-Za-z0-9_-]{3,32}$')
CPE = re.compile(r'^cpe:2\.3:[aho](:(\*|-|[a-z0-9._{}\\-]+)){10}$')
PURL = re.compile(r'^pkg:[a-z][a-z0-9.+-]*/\S+$')
problems = []


def check(holds, words):
    if not holds:
        problems.append(words)


def check_links(manifest, keys, pattern):
    for key in keys:
        check(key not in manifest or pattern.match(manifest[key]), f'{key}: no such address')


def check_dependencies(dependencies):
    for name, value in dependencies.items():
        check(NAME.match(name) and '__' not in name, f'dependencies: {name} is no name')
        unknown = set(value) - DEPENDENCY_KEYS if isinstance(value, dict) else set()
        check(isinstance(value, (str, dict)) and not unknown, f'dependencies: {name}: {unknown}')
    check('idf' in dependencies, 'dependencies: no version of ESP-IDF')


def check_sbom(sbom):
    check(not set(sbom) - SBOM_KEYS, f'sbom: unknown {set(sbom) - SBOM_KEYS}')
    check_links(sbom, ['url', 'repository'], URL)
    for key in ('supplier', 'originator'):
        check(re.match(r'^(Person|Organization): \S', sbom.get(key, '')), f'sbom: {key} is neither person nor organization')
    for cpe in [sbom['cpe']] if isinstance(sbom.get('cpe'), str) else sbom.get('cpe', ['']):
        check(CPE.match(cpe), f'sbom: {cpe} is no CPE 2.3')
    check(PURL.match(sbom.get('purl', '')), 'sbom: no package URL')
    check(isinstance(sbom.get('copyright', []), list), 'sbom: copyright is no list')


def check_manifest(folder, manifest):
    check(not set(manifest) - KEYS, f'unknown {set(manifest) - KEYS}')
    check(SEMVER.match(str(manifest.get('version'))), 'version: no semantic version')
    check(manifest.get('license') == 'MIT' and os.path.isfile(os.path.join(folder, 'LICENSE')), 'license')
    check(isinstance(manifest.get('description'), str), 'description')
    check(not set(manifest.get('targets', [])) - TARGETS, 'targets: unknown')
    check(not set(manifest.get('files', {})) - FILES_KEYS, 'files: unknown')
    tags = manifest.get('tags', [])
    check(len(tags) == len(set(tags)) and all(TAG.match(tag) for tag in tags), 'tags')
    check_links(manifest, ['url', 'documentation', 'issues', 'discussion'], URL)
    check_links(manifest, ['repository'], GIT)
    check_dependencies(manifest.get('dependencies', {}))
    for example in manifest.get('examples', []):
        check(os.path.isfile(os.path.join(folder, example['path'], 'CMakeLists.txt')), f'examples: no {example["path"]}')


with open(os.path.join(sys.argv[1], 'idf_component.yml'), encoding='utf-8') as file:
    check_manifest(sys.argv[1], yaml.safe_load(file))
with open(os.path.join(sys.argv[1], 'sbom.yml'), encoding='utf-8') as file:
    check_sbom(yaml.safe_load(file))
print('\n'.join(problems))
