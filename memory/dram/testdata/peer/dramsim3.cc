// DRAMsim3 (github.com/umd-memsys/DRAMsim3), driven by peer.h. In its folder:
//
//   g++ -O3 -std=c++11 -DFMT_HEADER_ONLY -Isrc -Iext/headers -Iext/fmt/include -IPEER \
//     $(ls src/*.cc | grep -v -e main -e cpu -e thermal -e sp_ienv) PEER/dramsim3.cc -o dramsim3
//   dramsim3 configs/DDR4_8Gb_x8_3200.ini TRACE open:12
#include <deque>
#include <unordered_map>

#include "dramsim3.h"
#include "peer.h"

struct Memory {
  Run &run;
  std::unordered_map<uint64_t, int> waiting;
  dramsim3::MemorySystem *system;

  Memory(const char *config, Run &r) : run(r) {
    system = dramsim3::GetMemorySystem(
        config, ".", [this](uint64_t addr) {
          auto w = waiting.find(addr);
          if (w == waiting.end()) return;
          if (--w->second == 0) waiting.erase(w);
          run.done++;
        },
        [](uint64_t) {});
  }
  bool accept(size_t, const Request &r) {
    if (!system->WillAcceptTransaction(r.addr, r.write)) return false;
    if (!r.write) waiting[r.addr]++;
    system->AddTransaction(r.addr, r.write);
    return true;
  }
  void tick() { system->ClockTick(); }
};

int main(int n, char **args) {
  if (n != 4) return 2;
  Run run(args[2]);
  Memory memory(args[1], run);
  run.drive(memory, args[3]);
}
