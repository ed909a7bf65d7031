
# bash parts words at `=`, but NAME=CHOICE is one word.
_ptodiff() {
    local at=$COMP_CWORD value=$2 head=
    if [[ $at -ge 3 && ${COMP_WORDS[at - 1]} == '=' ]]; then
        at=$((at - 2))
    elif [[ $at -ge 2 && ${COMP_WORDS[at]} == '=' ]]; then
        at=$((at - 1)) value=
    fi
    if [[ $at -lt $COMP_CWORD ]]; then
        head="${COMP_WORDS[at]}="
        local COMP_WORDS=("${COMP_WORDS[@]:0:at}" "$head$value") COMP_CWORD=$at
    fi
    _clap_complete_ptodiff "$1" "$head$value" "$3"
    COMPREPLY=("${COMPREPLY[@]#"$head"}")
    # Names of files are quoted where they need it.
    local one
    for one in "${COMPREPLY[@]}"; do
        if [[ -e ${one/#\~/$HOME} ]]; then
            compopt -o filenames 2>/dev/null
            break
        fi
    done
}
complete -o nospace -o bashdefault -F _ptodiff ptodiff
