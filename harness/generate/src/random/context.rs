//! What is settled before a call is drawn, and which rules follow from it.

use ptodiff_isa::{
    BurstTail, Coalesce, CpuForm, CpuRowIndex, CpuTableType, DType, EmptyExtent, IndexUnit,
    NegativeIndex, OuterStrides, Readings, RowIndexPitch, RowPitch, ScatterAtomicOp, Scope, Target,
};

use super::Form;

/// Form, targets and readings of a case, and how large it may be.
#[derive(Clone, Copy)]
pub(super) struct DrawContext {
    pub(super) form: Form,
    pub(super) cpu: bool,
    pub(super) a2a3: bool,
    pub(super) a5: bool,
    /// Whether CPU, A2/A3 and A5 are among the targets that are wished for.
    pub(super) wished: [bool; 3],
    pub(super) readings: Readings,
    /// Most elements in the valid region of the data tile, at least 1.
    pub(super) lanes: u64,
}

/// The nine types of the common list; the simplest first.
pub(super) const COMMON: [DType; 9] = [
    DType::Float,
    DType::Int32,
    DType::Uint32,
    DType::Half,
    DType::Bfloat16,
    DType::Int16,
    DType::Uint16,
    DType::Int8,
    DType::Uint8,
];

/// Those of `size` bytes: of the common list, or the widest.
pub(super) const fn of_size(size: usize) -> &'static [DType] {
    match size {
        1 => &[DType::Int8, DType::Uint8],
        2 => &[DType::Half, DType::Bfloat16, DType::Int16, DType::Uint16],
        4 => &[DType::Float, DType::Int32, DType::Uint32],
        _ => &[DType::Int64, DType::Uint64],
    }
}

/// The types that A5 has besides.
pub(super) const SMALL: [DType; 3] = [DType::Float8E4M3, DType::Float8E5M2, DType::Hifloat8];

impl DrawContext {
    pub(super) const fn has(&self, target: Target) -> bool {
        match target {
            Target::Cpu => self.cpu,
            Target::A2a3 => self.a2a3,
            Target::A5 => self.a5,
        }
    }

    /// Whether `target` may be among the targets of a case.
    pub(super) const fn wished(&self, target: Target) -> bool {
        self.wished[target as usize]
    }

    /// Its targets, in their order.
    pub(super) fn targets(&self) -> impl Iterator<Item = Target> {
        let all = [Target::Cpu, Target::A2a3, Target::A5].into_iter();
        all.filter(|target| self.has(*target))
    }

    /// Whether CPU runs MSCATTER as document 000 gives it: by element, no
    /// policies, no bounds (MSCATTER-GAP-41).
    pub(super) fn documented(&self) -> bool {
        self.form == Form::Mscatter && self.cpu && self.readings.cpu_form == CpuForm::Documented
    }

    /// Whether CPU runs MSCATTER with A5's template parameters, and so under its rules.
    pub(super) fn templated(&self) -> bool {
        self.form == Form::Mscatter && self.cpu && self.readings.cpu_form == CpuForm::Templated
    }

    /// Whether CPU runs MGATHER.
    pub(super) fn gathers(&self) -> bool {
        self.form == Form::Mgather && self.cpu
    }

    /// Whether A5's rules on shapes bind.
    pub(super) fn simt(&self) -> bool {
        self.a5 || self.templated()
    }

    /// Whether tiles have to be RowMajor: A2/A3 and CPU read no others
    /// (MSCATTER-TILE-03, -06, -07, MGATHER-TILE-03 to -05).
    pub(super) fn row_major(&self) -> bool {
        self.a2a3 || self.documented() || self.gathers()
    }

    /// Whether CPU wants a table whose outer dimensions are 1 (MSCATTER-TABLE-03,
    /// MGATHER-TABLE-03).
    pub(super) fn flat_tables(&self) -> bool {
        self.cpu && !self.templated()
    }

    /// Whether table rows have to lie ValidCol apart (MSCATTER-GAP-13, -14, MGATHER-GAP-09).
    pub(super) fn packed(&self) -> bool {
        self.templated() || (self.a5 && self.readings.row_pitch == RowPitch::Precondition)
    }

    /// Whether the strides of dimensions 0 to 2 may be padded in Row mode
    /// (MSCATTER-GAP-16, MGATHER-GAP-06).
    pub(super) fn free_outer_strides(&self) -> bool {
        self.a2a3 && !self.a5 && self.readings.outer_strides != OuterStrides::Precondition
    }

    /// Whether row indices may lie apart in their tile (MSCATTER-GAP-36, MGATHER-GAP-15,
    /// -56).
    pub(super) fn scattered_indices(&self) -> bool {
        if self.gathers() && self.readings.cpu_row_index == CpuRowIndex::Precondition {
            return false;
        }
        !self.simt()
            || (!self.templated() && self.readings.row_index_pitch == RowIndexPitch::Logical)
    }

    /// What an index grows by from one slot of a table of `dtype` to the next
    /// (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
    pub(super) fn index_unit(&self, mode: Coalesce, dtype: DType) -> u64 {
        match (self.readings.index_unit, mode) {
            (IndexUnit::Byte, Coalesce::Elem) => dtype.size() as u64,
            _ => 1,
        }
    }

    /// Whether the two sides of a copy may be of two types of one size: on CPU alone
    /// (MSCATTER-GAP-44, MGATHER-GAP-13).
    pub(super) fn mixed_types(&self) -> bool {
        let bytes = self.readings.cpu_table_type == CpuTableType::Bytes;
        self.cpu && !self.a2a3 && !self.a5 && (self.form != Form::Mgather || bytes)
    }

    /// Whether bursts of A2/A3 Row ND are to be whole units of 32 bytes
    /// (MSCATTER-GAP-28): also where a rounded one would leave a row that A5
    /// wants to be as wide as the tile.
    pub(super) fn whole_bursts(&self) -> bool {
        let tail = self.readings.burst_tail;
        self.form == Form::Mscatter
            && self.a2a3
            && (tail == BurstTail::Precondition || (tail == BurstTail::Rounded && self.simt()))
    }

    /// Whether a valid extent may be 0 at run time (MSCATTER-GAP-38, MGATHER-GAP-26).
    pub(super) fn empty_extents(&self, mode: Coalesce) -> bool {
        let npus = self.a2a3 || self.a5;
        let no_op = self.readings.empty_extent == EmptyExtent::NoOp;
        // Without rows no row indices are of the shapes of CPU and of the NPUs.
        let both = mode == Coalesce::Elem || !self.documented();
        (!npus || (no_op && both)) && !self.templated()
    }

    /// Whether a negative index of a signed type breaks a precondition under every
    /// policy: it passes for one below capacity (MSCATTER-GAP-01, reading b).
    pub(super) fn literal_signs(&self) -> bool {
        let is_read = self.a2a3 || self.a5 || self.templated();
        is_read && self.readings.negative_index == NegativeIndex::Signed
    }

    /// Whether forms of the suites exist (MGATHERL1-GAP-14, TSCATTER-GAP-09).
    pub(super) fn suites(&self) -> bool {
        self.readings.scope == Scope::AsTheSuite
    }

    /// Whether `atomic` exists for `dtype` on all targets (000 and 003, Atomic Type Support).
    pub(super) fn has_atomic(&self, atomic: ScatterAtomicOp, dtype: DType) -> bool {
        use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint32};
        let first = self.form == Form::MscatterFirst;
        let (cpu, a2a3, a5) = match atomic {
            ScatterAtomicOp::None => (true, true, true),
            ScatterAtomicOp::Add => (
                matches!(dtype, Int32 | Uint32 | Float | Half),
                matches!(dtype, Int8 | Int16 | Int32 | Half | Bfloat16 | Float),
                matches!(dtype, Int32 | Uint32 | Float | Half) || (dtype == Bfloat16 && !first),
            ),
            ScatterAtomicOp::Max | ScatterAtomicOp::Min => (
                matches!(dtype, Int32 | Float),
                false,
                matches!(dtype, Int32 | Float) || (dtype == Uint32 && !first),
            ),
        };
        // CPU's list binds the caller even where CPU drops the atomic (MSCATTER-ATOM-16, -17).
        (!self.cpu || cpu) && (!self.a2a3 || a2a3) && (!self.a5 || a5)
    }
}

/// Elements of `dtype` in 32 bytes.
pub(super) const fn unit(dtype: DType) -> u64 {
    32 / dtype.size() as u64
}

/// Whether `target` has the form under `readings`.
pub(super) fn exists(form: Form, target: Target, readings: &Readings) -> bool {
    let suites = readings.scope == Scope::AsTheSuite;
    match form {
        Form::Mscatter | Form::Mgather | Form::TscatterIndex | Form::Tgatherb => true,
        Form::MgatherL1 => target != Target::Cpu || suites,
        Form::TscatterMask => target == Target::A5 || suites,
        Form::MscatterFirst => target == Target::A5,
    }
}
