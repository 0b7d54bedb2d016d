// Package usage measures the processor time (seconds) and memory (bytes) of this process, and the
// memory that the machine has left. A value that the operating system does not provide is 0. Left
// out: GPUs, disks, limits of containers.
package usage
