local measure = require('measure')

function measure.before_all()
    -- Load large fixtures once and share them across benchmark cases
end

measure.options({
    confidence_level = 95,
    rciw = 5,
    warmup = 1,
}).describe('my function'):run(function()
    -- Code under test; keep it synchronous and side-effect free per run
end).describe('alternative implementation'):run(function()
    -- Each describe/run pair becomes a named row in the final report
end)
