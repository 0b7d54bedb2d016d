// Ramulator 2.1 (github.com/CMU-SAFARI/ramulator2), driven by peer.h. In its
// folder, with yaml-cpp and fmt installed:
//
//   g++ -O3 -std=c++20 -DFMT_HEADER_ONLY -Isrc -IPEER \
//     $(find src -name '*.cpp' -not -path '*/python/*') PEER/ramulator.cc -lyaml-cpp -o ramulator
//   ramulator CONFIG TRACE open:12
//
// CONFIG is what its command export writes, with the frontend External.
#include "peer.h"
#include "ramulator/base/config.h"
#include "ramulator/base/factory.h"
#include "ramulator/base/request.h"
#include "ramulator/frontend/i_frontend.h"
#include "ramulator/memory_system/i_memory_system.h"

struct Memory {
  Run &run;
  Ramulator::IFrontEnd *front;
  Ramulator::IMemorySystem *system;

  Memory(const char *config, Run &r) : run(r) {
    const Ramulator::ConfigNode c = Ramulator::Config::parse_config_file(config);
    front = Ramulator::Factory::create_frontend(c);
    system = Ramulator::Factory::create_memory_system(c);
    front->connect_memory_system(system);
    system->connect_frontend(front);
  }
  bool accept(size_t, const Request &r) {
    const bool read = !r.write;
    return front->receive_external_requests(
        r.write, r.addr, 0, [this, read](Ramulator::Request &) { run.done += read; }, 64);
  }
  void tick() { system->tick(); }
};

int main(int n, char **args) {
  if (n != 4) return 2;
  Run run(args[2]);
  Memory memory(args[1], run);
  run.drive(memory, args[3]);
}
