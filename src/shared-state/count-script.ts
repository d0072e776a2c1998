import { unit } from '../core/limits/bucket.ts'
import { counted_limits } from '../core/limits/request-counts.ts'
import { namesOf, tableOf } from '../core/table-names.ts'

const names = namesOf(counted_limits)
const rates = Object.values(counted_limits).map(
  ({ per_minute, burst }) => `{${per_minute}, ${burst * unit}}`,
)

/** How the script calls a limit. */
export const limit_numbers = tableOf(names, (name) => names.indexOf(name) + 1)

/**
 * The token buckets of `core/limits/bucket.ts`, on the clock of the server. ARGV: for each request the number
 * of its buckets, negative when they are given back, and the numbers of their limits. KEYS: the buckets, in
 * the same order. The reply has for each request that takes its wait in milliseconds, 0 when it is allowed,
 * and what remains in its buckets.
 *
 * A bucket expires when it is full, which is the same as none. A refused request writes nothing. When the
 * clock was set back, a bucket refills from its new time on.
 */
export const count_script = `
local rates = {${rates.join(', ')}}
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function levelOf(key, rate)
  local stored = redis.call('GET', key)
  if not stored then return rate[2] end
  local units, at = string.match(stored, '(%S+) (%S+)')
  local passed = math.max(0, now - tonumber(at))
  return math.min(rate[2], tonumber(units) + passed * rate[1])
end

local function store(key, rate, units)
  if units >= rate[2] then return redis.call('DEL', key) end
  local full_in = math.ceil((rate[2] - units) / rate[1])
  redis.call('SET', key, string.format('%.17g %.0f', units, now), 'PX', full_in)
end

local replies = {}
local key = 0
local arg = 0
while arg < #ARGV do
  arg = arg + 1
  local count = tonumber(ARGV[arg])
  local takes = count > 0
  count = math.abs(count)
  local levels = {}
  local wait = 0
  for i = 1, count do
    local rate = rates[tonumber(ARGV[arg + i])]
    levels[i] = levelOf(KEYS[key + i], rate)
    local missing = ${unit} - levels[i]
    if missing > 0 then wait = math.max(wait, math.ceil(missing / rate[1])) end
  end
  if takes then table.insert(replies, wait) end
  for i = 1, count do
    local rate = rates[tonumber(ARGV[arg + i])]
    if not takes then
      store(KEYS[key + i], rate, levels[i] + ${unit})
    else
      if wait == 0 then
        levels[i] = levels[i] - ${unit}
        store(KEYS[key + i], rate, levels[i])
      end
      table.insert(replies, math.floor(levels[i] / ${unit}))
    end
  end
  key = key + count
  arg = arg + count
end
return replies
`
