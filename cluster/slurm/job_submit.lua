-- Refuses, at submission, requests that could never run or must not: whole GPUs (Slurm 22.05 grants a GPU whose shards are in
-- use), more shards than one GPU has, and fewer than a virtual machine needs.

-- As FEWEST_SHARDS in gpuvm.conf.
local FEWEST_SHARDS = 5
local MOST_SHARDS = 100

local function refuse(format, ...)
   slurm.log_user("gpuvm: " .. string.format(format, ...))
   return slurm.ERROR
end

-- Checks the requests of a job; fields that this version of Slurm lacks are nil.
local function check(job)
   for _, field in ipairs({ "tres_per_node", "tres_per_job", "tres_per_task", "tres_per_socket" }) do
      for item in string.gmatch(job[field] or "", "[^,]+") do
         local name = string.match(item, "^gres[:/]([%a_]+)")
         if name == "gpu" or name == "mps" then
            return refuse("%s: ask for --gres=shard:%d to shard:%d, the percentage of a GPU", item, FEWEST_SHARDS, MOST_SHARDS)
         elseif name == "shard" then
            if field ~= "tres_per_node" then
               return refuse("%s: ask for shards with --gres", item)
            end
            local number = string.match(item, "[:=](%d+)$")
            -- Without a number, Slurm takes 1.
            number = tonumber(number or 1)
            if number < FEWEST_SHARDS or number > MOST_SHARDS then
               return refuse("shards=%d, expected %d to %d, the percentage of a GPU", number, FEWEST_SHARDS, MOST_SHARDS)
            end
         end
      end
   end
   for words in string.gmatch(" " .. (job.comment or ""), "%sgpuvm:(%S*)") do
      for word in string.gmatch(words, "[^,]+") do
         if word ~= "hard" and word ~= "pv" then
            return refuse("comment=gpuvm:%s, expected one of hard, pv", word)
         end
      end
   end
   return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, uid)
   return check(job)
end

function slurm_job_modify(job, record, partitions, uid)
   return check(job)
end

return slurm.SUCCESS
