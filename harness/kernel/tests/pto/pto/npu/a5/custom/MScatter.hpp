// Stand-in for the header of MSCATTER's first revision (003).
#ifndef PTO_STAND_IN_FIRST_HPP
#define PTO_STAND_IN_FIRST_HPP

#define PTO_FIRST_REVISION
#include "../../../pto-inst.hpp"

namespace pto {

template <ScatterAtomicOp A = ScatterAtomicOp::None, ScatterOOB O = ScatterOOB::Undefined, class G, class S, class I>
inline void MSCATTER(G& table, S& src, I& indices)
{
    check_index<I>();
    act(table, {A, O, table, src, indices});
}

} // namespace pto

#endif
