// Written by ptodiff cpp --harness.
// The library and what is in front of it: its headers use names of these two.
// Compiled once, where the compiler has precompiled headers.
#ifndef PTODIFF_LIBRARY_HPP
#define PTODIFF_LIBRARY_HPP

#include <stddef.h>
#include <stdint.h>

#include <pto/pto-inst.hpp>

#include "ptodiff_device.hpp"

#endif
