// Drives a cycle-by-cycle DRAM simulator as harness_test.go drives the controller:
// one clock per tick, one request accepted per clock at most, writes done when
// accepted, closed:K keeps K outstanding, open:I lets one arrive every I clocks.
// Prints the clocks and the requests per CPU second of the loop.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

struct Request {
  uint64_t addr;
  bool write;
};

struct Run {
  std::vector<Request> list;
  size_t done = 0;

  explicit Run(const char *path) {
    FILE *f = fopen(path, "r");
    char kind;
    unsigned long long addr;
    while (f && fscanf(f, " %c %llx", &kind, &addr) == 2) list.push_back({addr, kind == 'W'});
    if (list.empty()) {
      fprintf(stderr, "%s: no requests\n", path);
      exit(2);
    }
  }

  // Memory has bool accept(index, Request) and void tick().
  template <class Memory>
  void drive(Memory &memory, const char *mode) {
    const bool open = strncmp(mode, "open:", 5) == 0;
    const size_t k = strtoul(strchr(mode, ':') + 1, nullptr, 10);
    const size_t n = list.size();
    size_t sent = 0;
    uint64_t now = 0;
    const clock_t start = clock();
    for (; done < n; now++) {
      const bool arrived = sent < n && (open ? sent * k <= now : sent - done < k);
      if (arrived && memory.accept(sent, list[sent])) {
        if (list[sent].write) done++;
        sent++;
      }
      memory.tick();
    }
    const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
    printf("%llu %.0f\n", (unsigned long long)now, n / seconds);
  }
};
