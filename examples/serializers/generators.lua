-- The data of the serializer comparison: 14 jobs, each made anew by a function, the same on every Lua.
--
-- What each job holds was found by search, from the sizes that a published comparison (published.csv) gives for it:
-- these reproduce all of them (sizes.lua).

local generators = {}

-- The integers 1 to n.
function generators.array(n)
    local list = {}
    for i = 1, n do list[i] = i end
    return list
end

-- n numbers that are no integers, but for the last.
function generators.farray(n)
    local list = {}
    for i = 1, n do list[i] = i / n end
    return list
end

-- `count` lists of `length` numbers: a counter, divided by two.
function generators.vectors(length, count)
    local vectors, counter = {}, 0
    for i = 1, count do
        local vector = {}
        for j = 1, length do
            counter = counter + 1
            vector[j] = counter / 2
        end
        vectors[i] = vector
    end
    return vectors
end

-- Records with the same keys; all but the first share their kind.
function generators.entities(n)
    local entities = {}
    for i = 1, n do
        entities[i] = { id = i, x = 2 * i, y = i % 360, hp = i % 100, kind = i == 1 and 'actor' or 'monster' }
    end
    return entities
end

-- A complete tree: `branches` at every node, `depth` levels, leaves of 1.
function generators.tree(branches, depth)
    if depth == 0 then return 1 end
    local node = {}
    for i = 1, branches do node[i] = generators.tree(branches, depth - 1) end
    return node
end

-- In the order of the comparison.
generators.jobs = {
    { name = 'array-16', kind = 'array', 16 },
    { name = 'array-32', kind = 'array', 32 },
    { name = 'array-128', kind = 'array', 128 },
    { name = 'array-1024', kind = 'array', 1024 },
    { name = 'array-1e6', kind = 'array', 1000000 },
    { name = 'farray-16', kind = 'farray', 16 },
    { name = 'farray-1e3', kind = 'farray', 1000 },
    { name = 'farray-1e6', kind = 'farray', 1000000 },
    { name = 'vectors-3-1000', kind = 'vectors', 3, 1000 },
    { name = 'entities-1', kind = 'entities', 1 },
    { name = 'entities-100', kind = 'entities', 100 },
    { name = 'entities-1000', kind = 'entities', 1000 },
    { name = 'tree-2-8', kind = 'tree', 2, 8 },
    { name = 'tree-8-7', kind = 'tree', 8, 7 },
}

-- The value of a job; an error names the jobs there are.
function generators.make(name)
    local names = {}
    for index, job in ipairs(generators.jobs) do
        if job.name == name then return generators[job.kind](job[1], job[2]) end
        names[index] = job.name
    end
    error(("there is no job '%s'; the jobs are %s"):format(tostring(name), table.concat(names, ', ')), 0)
end

return generators
