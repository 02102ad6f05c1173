/* SPDX-License-Identifier: MIT
 * What a JSON Schema says of arguments, as fields of a form. A schema comes from a device: it is read one level deep, it is bounded, and its
 * patterns are never run. What it means otherwise is the device's to say. */

const mostFields = 64, mostChoices = 200, mostSteps = 1e6;

/* Words for units, as they stand in descriptions. */
const unitWords = {
	ms: 'ms', milliseconds: 'ms', millisecond: 'ms', us: 'µs', microseconds: 'µs', s: 's', sec: 's', seconds: 's', min: 'min', minutes: 'min',
	nm: 'nm', um: 'µm', mm: 'mm', millimetres: 'mm', millimeters: 'mm', cm: 'cm', centimetres: 'cm', m: 'm', metres: 'm', meters: 'm',
	deg: '°', degrees: '°', '°': '°', rad: 'rad', radians: 'rad', rpm: 'rpm', hz: 'Hz', khz: 'kHz', mhz: 'MHz', hertz: 'Hz',
	mv: 'mV', v: 'V', volts: 'V', millivolts: 'mV', ma: 'mA', a: 'A', milliamperes: 'mA', amperes: 'A', w: 'W', watts: 'W', '%': '%', percent: '%',
	'°c': '°C', celsius: '°C', kelvin: 'K', pa: 'Pa', hpa: 'hPa', bar: 'bar', ml: 'ml', millilitres: 'ml', l: 'l', g: 'g', grams: 'g', kg: 'kg',
	bytes: 'bytes', steps: 'steps',
};
const knownUnits = new Map(Object.entries(unitWords));

/** The unit of a number, from its description or its name; or ''. */
export function unitOf(name, description) {
	const said = /(?:\bin |[([] ?)([°%a-zµ]{1,12})(?=$|[\s,.;)\]])/gi;
	for (const [, word] of String(description).slice(0, 400).matchAll(said)) {
		const unit = knownUnits.get(word.toLowerCase());
		if (unit && word !== 'a') return unit; /* the article */
	}
	const [, end] = /(?:^|_)([a-z]{1,3})$/.exec(name) ?? [];
	return ['ms', 's', 'mm', 'cm', 'um', 'us', 'deg', 'rpm', 'hz', 'khz', 'mv', 'ma'].includes(end) ? knownUnits.get(end) : '';
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const isFiniteNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/* With titles, as `oneOf` and `anyOf` of constants, or `enumNames`, have them. */
function choicesOf(schema) {
	const titled = [schema.oneOf, schema.anyOf].find((list) => Array.isArray(list) && list.length > 0 && list.every((one) => isObject(one) && 'const' in one));
	const values = titled ? titled.map((one) => one.const) : Array.isArray(schema.enum) ? schema.enum : null;
	if (!values || values.length === 0 || values.length > mostChoices || !values.every((value) => ['string', 'number', 'boolean'].includes(typeof value))) return null;
	const titles = titled ? titled.map((one) => one.title) : Array.isArray(schema.enumNames) ? schema.enumNames : [];
	return values.map((value, i) => ({ value, title: typeof titles[i] === 'string' ? titles[i] : String(value) }));
}

/* How much one press of a key is. */
function stepOf(schema, low, high) {
	if (schema.type === 'integer') return isFiniteNumber(schema.multipleOf) && schema.multipleOf >= 1 ? schema.multipleOf : 1;
	if (isFiniteNumber(schema.multipleOf) && schema.multipleOf > 0) return schema.multipleOf;
	return low !== null && high !== null ? (high - low) / 1000 : null;
}

function numberField(schema) {
	const [low, high] = [schema.minimum, schema.maximum].map((value) => (isFiniteNumber(value) ? value : null));
	const slides = low !== null && high !== null && high > low && high - low <= Number.MAX_SAFE_INTEGER;
	const whole = schema.type === 'integer', step = stepOf(schema, low, high), slide = slides ? Math.max(step, whole ? Math.ceil((high - low) / mostSteps) : (high - low) / mostSteps) : null;
	return { kind: 'number', whole, low, high, step, slides, slide, begins: slides && isFiniteNumber(schema.multipleOf) && schema.multipleOf > 0 ? Math.ceil(low / schema.multipleOf) * schema.multipleOf : low };
}

function kindOf(schema) {
	const choices = choicesOf(schema);
	if (choices) return { kind: 'choice', choices };
	switch (schema.type) {
	case 'integer':
	case 'number': return numberField(schema);
	case 'boolean': return { kind: 'switch' };
	case 'string': return { kind: 'text' };
	default: return { kind: 'json' };
	}
}

/* The type that is left when null is one of several. */
function plain(schema) {
	if (!Array.isArray(schema.type)) return schema;
	const types = schema.type.filter((type) => type !== 'null');
	return { ...schema, type: types.length === 1 ? types[0] : undefined };
}

function fieldOf(name, given, required) {
	const schema = isObject(given) ? plain(given) : {};
	const kind = kindOf(schema), description = typeof schema.description === 'string' ? schema.description : '';
	const title = typeof schema.title === 'string' ? schema.title : '';
	return { name, title, description, required, given: schema.default, unit: kind.kind === 'number' ? unitOf(name, description) : '', ...kind };
}

/** The fields of an object's schema: `fields`, and how many more it has, `more`. A name may be any text. */
export function fieldsOf(schema) {
	const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
	const required = new Set(isObject(schema) && Array.isArray(schema.required) ? schema.required.slice(0, 10000) : []);
	const names = Object.keys(properties);
	return { fields: names.slice(0, mostFields).map((name) => fieldOf(name, properties[name], required.has(name))), more: Math.max(0, names.length - mostFields) };
}

/** Which fields of HTTP an argument stands in besides (2026-07-28, `x-mcp-header`): pairs of its path and the mark, one level deep and those
 * of objects in it, as deep as forms can write. */
export function headerMarks(schema, path = [], depth = 0) {
	if (!isObject(schema) || !isObject(schema.properties) || depth > 8) return [];
	return Object.entries(schema.properties).slice(0, 256).flatMap(([name, property]) => {
		if (!isObject(property)) return [];
		const own = typeof property['x-mcp-header'] === 'string' ? [{ path: [...path, name], mark: property['x-mcp-header'] }] : [];
		return [...own, ...headerMarks(property, [...path, name], depth + 1)];
	});
}
